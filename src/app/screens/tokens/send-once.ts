import { isApiError } from '#app/api/api-error.ts'
import { mayBeDone, trackReply } from '#app/api/lost-replies.ts'

/**
 * Operation ids of unfinished requests, by their content, such as a coach, a player and an assessment (ASSIGN-7). A retry after a
 * lost reply sends the same id, even from a reopened dialog, so that it spends no second token.
 */
const unfinished = new Map<string, string>()

export async function sendOnce<T>(content: string, send: (operationId: string) => Promise<T>): Promise<T> {
  const isRepeat = unfinished.has(content)
  const operationId = unfinished.get(content) ?? crypto.randomUUID()
  unfinished.set(content, operationId)
  try {
    const reply = await trackReply(content, () => send(operationId))
    unfinished.delete(content)
    return reply
  } catch (error) {
    // definitely refused: the next attempt is a new operation
    if (!mayBeDone(content) && !(isApiError(error) && error.isTransient)) unfinished.delete(content)
    // the operation whose reply was lost has been reclaimed since: start a new one
    if (isRepeat && isApiError(error) && error.code === 'OPERATION_MISMATCH') return sendOnce(content, send)
    throw error
  }
}
