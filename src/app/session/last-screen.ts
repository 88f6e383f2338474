import { remember } from '#app/remember.ts'

/** The last screen on which somebody was signed in in this tab, in session storage, which survives when the browser discards the tab. */
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
