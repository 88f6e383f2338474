import type { ReadyInstance } from '#app/device/store/stored.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { delay } from '#app/delay.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { canShow, createDrawing, createScreen, type Texts } from './drawing.ts'
import type { ShownQuestions } from './handover.ts'
import { createMoves } from './moving.ts'
import { takePresses, watchTaps } from './presses.ts'

/** how often to check whether the player has let go */
const POLL_MS = 50

/** Neither ended, nor waiting for its Submit, nor refused. */
const isAnswerable = ({ instance }: ReadyInstance) => isOpen(instance.summary.status) && !instance.finish && !instance.trouble

/**
 * Why nothing can be answered any more. Undefined if it can: refused answers can still be changed, as in the app.
 * @param ready undefined: it is another person's now, or nobody's
 */
function whyOver(ready: ReadyInstance | undefined) {
  if (!ready) return 'TestOverWaits'
  const { summary, finish } = ready.instance
  if (isOpen(summary.status)) return finish ? 'TestOverWaits' : undefined
  return summary.status === 'COMPLETED' ? 'TestOverCompleted' : 'TestOverReclaimed'
}

/**
 * Shows the questionnaire in `root` until React takes over, with the same answers as React's. Undefined, and nothing is shown, where the
 * app is needed: for an instance that has ended, waits for its Submit or was refused answers, and for the last screen.
 */
export function showFirst(root: HTMLElement, ready: ReadyInstance, questionnaire: Questionnaire, texts: Texts): ShownQuestions | undefined {
  const screen = createScreen(root, ready, questionnaire, texts)
  if (!isAnswerable(ready) || !canShow(screen, screen.place)) return undefined
  const drawing = createDrawing(screen, (written) => moves.advance(written))
  const moves = createMoves(screen, drawing)
  const listening = new AbortController()
  const { signal } = listening
  let over: ReturnType<typeof whyOver>

  drawing.begin()
  takePresses(screen, moves, signal)
  screen.narrow.addEventListener('change', () => over || moves.turn(), { signal })
  if (screen.place.question > 0) moves.scrollToPlace()
  const isTapped = watchTaps(signal)
  return {
    instanceId: ready.instance.instanceId,
    place: () => screen.place,
    // what ended elsewhere, or belongs to another person now, is removed at once: the app, which explains it, may take minutes to load
    follow(now) {
      const why = whyOver(now)
      if (why === over) return
      over = why
      moves.stop()
      drawing.drawContent(why && texts.t(why))
    },
    async untouched() {
      while (isTapped() || moves.isMovingOn()) await delay(POLL_MS)
    },
    end() {
      listening.abort()
      moves.stop()
      drawing.end()
    },
  }
}
