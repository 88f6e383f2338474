import { remember } from '#app/remember.ts'

/** The screen on which this tab last had somebody signed in, in session storage, which outlives a tab that the browser discards. */
const KEY = 'lastScreen'

/** @param screen path and query */
export function noteLastScreen(screen: string): void {
  remember(KEY, screen, sessionStorage)
}

/** Whether it is this one; it is forgotten. */
export function takeLastScreen(screen: string): boolean {
  const isIt = sessionStorage.getItem(KEY) === screen
  sessionStorage.removeItem(KEY)
  return isIt
}
