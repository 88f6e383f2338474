import { remember } from '#app/remember.ts'

const KEY = 'movesOn'

/** On this device a single choice advances to the next question, unless that was switched off. */
export function isAutoAdvanceOn(): boolean {
  return localStorage.getItem(KEY) !== 'off'
}

export function setAutoAdvance(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY)
  else remember(KEY, 'off')
}
