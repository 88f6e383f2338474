/** Which copy of the sign-in (stored-copy.ts) local storage has the values of: it rises with every change. */

/** key in local storage: `at` of that copy */
export const COPIED_KEY = 'sessionCopiedAt'

/** 0 if there is no copy */
export const copiedAt = () => Number(localStorage.getItem(COPIED_KEY) ?? 0)

/** Newer than every copy that was made so far. */
export const newerThanCopies = () => Math.max(Date.now(), copiedAt() + 1)
