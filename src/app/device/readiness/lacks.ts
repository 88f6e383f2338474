/** What the user must do: sign in again, complete the details. Everything else is fetched. docs/decisions/0033 */
const LACKS_OF_A_PERSON = ['session', 'details'] as const
/** What may be missing for opening, answering and submitting an assessment offline; the most serious first. */
export const LACKS = ['shell', 'words', 'answers', ...LACKS_OF_A_PERSON, 'lists'] as const
export type Lack = (typeof LACKS)[number]

/** Whether the app itself fetches what is missing. */
export const isFetched = (lack: Lack) => !LACKS_OF_A_PERSON.some((one) => one === lack)
