import { trySetItem } from '#app/ui/browser/try-set-item.ts'

/** Which copy of the sign-in (stored-copy.ts) local storage has the values of: it rises with every change. */

/** key in local storage: `at` of that copy; negative for values that could not be copied */
export const COPIED_KEY = 'sessionCopiedAt'

/** key in local storage, of values that could not be copied: the database had its marker (stored-copy.ts), which a sign-out can remove */
const MARKER_KEY = 'sessionIsOpen'

const stored = () => Number(localStorage.getItem(COPIED_KEY) ?? 0)

/** 0 if there was no copy */
export const copiedAt = () => Math.abs(stored())

/** Whether there was a copy of these values. */
export const isCopied = () => stored() > 0

/** Whether these values, or those that a sign-out has removed, could not be copied. */
export const isUncopied = () => stored() < 0

/**
 * Notes that the values which are stored next have no copy yet: before them, as a full storage may have no room for it after them.
 * Throws if it has none. @returns takes it back
 */
export function noteUncopied(): () => void {
  const before = localStorage.getItem(COPIED_KEY)
  localStorage.setItem(COPIED_KEY, String(-newerThanCopies()))
  return () => (before === null ? localStorage.removeItem(COPIED_KEY) : trySetItem(COPIED_KEY, before))
}

/** A time that is newer than every copy made so far. */
export const newerThanCopies = () => Math.max(Date.now(), copiedAt() + 1)

/** Notes that the values of local storage are this new, if there was a copy or one was tried. */
export function noteNewer(at: number): void {
  if (copiedAt() > 0) trySetItem(COPIED_KEY, String(isUncopied() ? -at : at))
}

/** Stores whether the database has its marker. If values could not be copied, the next start can tell by its absence that they were signed out. */
export function storeMarkerSeen(hasMarker: boolean): void {
  if (hasMarker) trySetItem(MARKER_KEY, 'true')
  else forgetMarker()
}

/** Whether these values could not be copied, though the database had its marker. */
export const hadMarker = () => isUncopied() && localStorage.getItem(MARKER_KEY) !== null

export const forgetMarker = () => localStorage.removeItem(MARKER_KEY)
