/**
 * What may be missing for opening, answering and submitting an assessment offline. Some of it cannot be fetched: a browser without a
 * service worker, and what the user must do (sign in again, complete the details). docs/decisions/0033
 */
export type Lack = 'worker' | 'shell' | 'words' | 'answers' | 'session' | 'details' | 'lists'

/** Whether the app itself can fetch what is missing. */
export const isFetchable = (lack: Lack) => lack !== 'worker' && lack !== 'session' && lack !== 'details'
