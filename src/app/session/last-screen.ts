import { tabStorage } from '#app/tab-storage.ts'

/** The screen on which this tab last had somebody signed in. Session storage outlives a tab that the browser discards. */
const KEY = 'lastScreen'

/** @param screen path and query */
export function noteLastScreen(screen: string): void {
  tabStorage.set(KEY, screen)
}

/** Whether it is this one; it is forgotten. */
export function takeLastScreen(screen: string): boolean {
  const isIt = tabStorage.get(KEY) === screen
  tabStorage.remove(KEY)
  return isIt
}
