import { loadOnce } from './load-once.ts'

/** What brings the query library or a coach's rules along: of those that lazy.ts loads, few need it. */
export const loadOwnReads = loadOnce(() => import('./own-reads.ts'))
export const loadMissingDetails = loadOnce(() => import('./sending/missing-details.ts'))
export const loadAssignDraft = loadOnce(() => import('./assign-draft.ts'))
