import { staysUnknown } from '#app/api/api-error.ts'

/** Requests, by their content, of which it is unknown whether they were carried out. Kept while the page is open: a dialog may be reopened. */
const lost = new Set<string>()

/** Whether this request may have been carried out, by the last attempt or an earlier one whose reply was lost. */
export const mayBeDone = (content: string) => lost.has(content)

/** Sends a request, and keeps in mind whether its reply was lost. Rejects as `send` does. */
export async function noteIfLost<T>(content: string, send: () => Promise<T>): Promise<T> {
  try {
    const reply = await send()
    lost.delete(content)
    return reply
  } catch (error) {
    if (staysUnknown(lost.has(content), error)) lost.add(content)
    else lost.delete(content)
    throw error
  }
}
