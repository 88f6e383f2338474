/**
 * Marks the entries of the browser's history on which somebody was signed in, in their state. It survives a reload, Back, and a tab that
 * the browser discards, so that nobody is led to a screen that somebody else had open before (LOGIN-10).
 */

const MARK = { wasSignedIn: true }

const state = () => history.state as Partial<typeof MARK> | null

export function noteSignedInEntry(): void {
  if (!isSignedInEntry()) history.replaceState({ ...state(), ...MARK }, '')
}

/** Whether somebody was signed in on the present entry; after a sign-out it may be anybody. */
export const isSignedInEntry = () => state()?.wasSignedIn === true
