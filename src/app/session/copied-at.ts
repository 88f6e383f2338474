import { remember } from '#app/remember.ts'

/** Which copy of the sign-in (stored-copy.ts) local storage has the values of: it rises with every change. */

/** key in local storage: `at` of that copy; negative for values that could not be copied */
export const COPIED_KEY = 'sessionCopiedAt'

const stored = () => Number(localStorage.getItem(COPIED_KEY) ?? 0)

/** 0 if there was no copy */
export const copiedAt = () => Math.abs(stored())

/** Whether there was a copy of these values. */
export const isCopied = () => stored() > 0

/** Whether these values, or those that a sign-out has removed, could not be copied. */
export const isUncopied = () => stored() < 0

/** Newer than every copy that was made so far. */
export const newerThanCopies = () => Math.max(Date.now(), copiedAt() + 1)

/** Notes that the values of local storage are this new, if there was a copy or one was tried. */
export function noteNewer(at: number): void {
  if (copiedAt() > 0) remember(COPIED_KEY, String(isUncopied() ? -at : at))
}
