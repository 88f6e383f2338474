import { isApiError, staysUnknown } from '#app/api/api-error.ts'

/**
 * Operation ids of unfinished requests, by their content, such as a coach, a player and an assessment (ASSIGN-7). A retry after a
 * lost reply sends the same id, even from a reopened dialog, so that it spends no second token.
 */
const unfinished = new Map<string, string>()
/** of which it is unknown whether they were carried out */
const lost = new Set<string>()

/** Whether this request may have been carried out, by the last attempt or an earlier one whose reply was lost. */
export const mayBeDone = (content: string) => lost.has(content)

export async function sendOnce<T>(content: string, send: (operationId: string) => Promise<T>): Promise<T> {
  const isRepeat = unfinished.has(content)
  const operationId = unfinished.get(content) ?? crypto.randomUUID()
  unfinished.set(content, operationId)
  try {
    const reply = await send(operationId)
    unfinished.delete(content)
    lost.delete(content)
    return reply
  } catch (error) {
    if (staysUnknown(lost.has(content), error)) lost.add(content)
    else lost.delete(content)
    // definitely refused: the next attempt is a new operation
    if (!lost.has(content) && !(isApiError(error) && error.isTransient)) unfinished.delete(content)
    // the operation whose reply was lost has been reclaimed since: start a new one
    if (isRepeat && isApiError(error) && error.code === 'OPERATION_MISMATCH') return sendOnce(content, send)
    throw error
  }
}
