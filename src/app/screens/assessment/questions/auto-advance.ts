import { remember } from '#app/remember.ts'

const KEY = 'movesOn'

/** Whether a single choice advances to the next question on this device: yes, unless the player switched it off. */
export function isAutoAdvanceOn(): boolean {
  return localStorage.getItem(KEY) !== 'off'
}

export function setAutoAdvance(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY)
  else remember(KEY, 'off')
}
