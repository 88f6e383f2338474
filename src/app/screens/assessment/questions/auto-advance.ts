const KEY = 'movesOn'

/** On this device a single choice advances to the next question, unless that was switched off. */
export function isAutoAdvanceOn(): boolean {
  return localStorage.getItem(KEY) !== 'off'
}

export function setAutoAdvance(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, 'off')
}
