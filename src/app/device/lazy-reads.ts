import { loadOnce } from './load-once.ts'

/**
 * Modules that bring the query library or a coach's rules along. Apart from lazy.ts, because the modules that it loads (outbox,
 * status, prepare) load these in turn: in one file the imports would go round.
 */
export const loadOwnReads = loadOnce(() => import('./own-reads.ts'))
export const loadMissingDetails = loadOnce(() => import('./sending/missing-details.ts'))
export const loadParagraphMarks = loadOnce(() => import('./paragraph-marks.ts'))
export const loadAssignDraft = loadOnce(() => import('./assign-draft.ts'))
