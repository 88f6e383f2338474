/**
 * What may be missing for opening, answering and submitting an assessment offline. No fetching mends a browser that stores no app, and
 * what the user must do: sign in again, complete the details. docs/decisions/0033
 */
export type Lack = 'worker' | 'shell' | 'words' | 'answers' | 'session' | 'details' | 'lists'

/** Whether the app itself fetches what is missing. */
export const isFetched = (lack: Lack) => lack !== 'worker' && lack !== 'session' && lack !== 'details'
