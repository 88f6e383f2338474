/** What no fetching mends: a browser that stores no app, and what the user must do: sign in again, complete the details. docs/decisions/0033 */
const NOT_FETCHED = ['worker', 'session', 'details'] as const
/** What may be missing for opening, answering and submitting an assessment offline; the most serious first. */
export const LACKS = ['worker', 'shell', 'words', 'answers', 'session', 'details', 'lists'] as const
export type Lack = (typeof LACKS)[number]

/** Whether the app itself fetches what is missing. */
export const isFetched = (lack: Lack) => !NOT_FETCHED.some((one) => one === lack)
