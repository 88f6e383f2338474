/** Formats instants with their day, without date-fns, which the questionnaire and the frame do not load. */
import { shortDay } from '#contract/rules/dates.ts'
import { currentLanguage } from './current-language.ts'
import { formatTime } from './times.ts'

/** "14:02" today, else "14:02, 1st Jan 2026". What stays on screen uses `useMoment`. */
export function formatMoment(instant: number, time = formatTime(instant)): string {
  const date = new Date(instant)
  return date.toDateString() === today.get() ? time : `${time}, ${shortDay(date, currentLanguage())}`
}

/** The day of the reader's time zone. */
export const today = {
  get: () => new Date().toDateString(),
  /** @returns stops it */
  subscribe(onTurn: () => void): () => void {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(turn, new Date().setHours(24, 0, 0, 0) - Date.now())
    }
    const turn = () => {
      clearTimeout(timer)
      wait()
      onTurn()
    }
    wait()
    // a device that sleeps, or whose clock is set, is late with its timers
    document.addEventListener('visibilitychange', turn)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', turn)
    }
  },
}
