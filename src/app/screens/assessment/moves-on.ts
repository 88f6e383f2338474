import { remember } from '#app/remember.ts'

const KEY = 'movesOn'

/** On this device a single choice leads to the next question by itself, unless somebody has switched that off. */
export function movesOn(): boolean {
  return localStorage.getItem(KEY) !== 'off'
}

export function rememberMovesOn(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY)
  else remember(KEY, 'off')
}
