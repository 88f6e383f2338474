/**
 * Marks the entries of the browser's history on which somebody is signed in with their user id, in the entry's state. The first mark
 * stays: it survives a reload, Back, and a tab that the browser discards, so that nobody is led to a screen that somebody else had
 * open before. LOGIN-10
 */
export interface SignedInEntry {
  signedInUser?: string
}

const state = () => history.state as SignedInEntry | null

/** Who was signed in on the present entry; undefined if nobody was. */
export const userOfEntry = () => state()?.signedInUser

export function noteSignedInEntry(userId: string): void {
  if (userOfEntry() === undefined) history.replaceState({ ...state(), signedInUser: userId }, '')
}

/** An entry begins, or its state is replaced: the first two are wouter's, the last two the browser's, also for a link within the page. */
const CHANGES = ['pushState', 'replaceState', 'popstate', 'hashchange']

/** Marks the present entry, and those that follow until the returned function is called. */
export function markSignedInEntries(userId: string): () => void {
  const mark = () => noteSignedInEntry(userId)
  mark()
  for (const type of CHANGES) addEventListener(type, mark)
  return () => {
    for (const type of CHANGES) removeEventListener(type, mark)
  }
}
