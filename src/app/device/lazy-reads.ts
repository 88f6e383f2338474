import { loadOnce } from '#app/ui/browser/load-once.ts'

/**
 * Modules that import the query library or a coach's rules. Not in lazy.ts, because the modules that it loads (outbox, status, prepare)
 * load these: in one file the imports would be circular.
 */
export const loadOwnReads = loadOnce(() => import('./own-reads.ts'))
export const loadMissingDetails = loadOnce(() => import('./sending/missing-details.ts'))
export const loadParagraphMarks = loadOnce(() => import('./paragraph-marks.ts'))
export const loadAssignDraft = loadOnce(() => import('./assign-draft.ts'))
