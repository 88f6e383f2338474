/**
 * Marks the entries of the browser's history on which somebody is signed in, in their state. It survives a reload, Back, and a tab that
 * the browser discards, so that nobody is led to a screen that somebody else had open before (LOGIN-10).
 */

const MARK = { wasSignedIn: true }

const state = () => history.state as Partial<typeof MARK> | null

export function noteSignedInEntry(): void {
  if (!isSignedInEntry()) history.replaceState({ ...state(), ...MARK }, '')
}

/** Whether somebody was signed in on the present entry; after a sign-out it may be anybody. */
export const isSignedInEntry = () => state()?.wasSignedIn === true

/** An entry begins, or its state is replaced: the first two are wouter's, the last two the browser's, also for a link within the page. */
const CHANGES = ['pushState', 'replaceState', 'popstate', 'hashchange']

/** Marks the present entry, and those that follow until the returned function is called. */
export function markSignedInEntries(): () => void {
  noteSignedInEntry()
  for (const type of CHANGES) addEventListener(type, noteSignedInEntry)
  return () => {
    for (const type of CHANGES) removeEventListener(type, noteSignedInEntry)
  }
}
