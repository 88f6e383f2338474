import { isApiError } from '#app/api/api-error.ts'

/**
 * An operation id stands for one exact content (ASSIGN-7), here a coach, a player and an assessment: a retry after a lost reply
 * sends the same id, also from a reopened dialog, and spends no second token.
 */
const open = new Map<string, string>()

export async function sendOnce<T>(content: string, send: (operationId: string) => Promise<T>): Promise<T> {
  const isRepeat = open.has(content)
  const operationId = open.get(content) ?? crypto.randomUUID()
  open.set(content, operationId)
  try {
    const reply = await send(operationId)
    open.delete(content)
    return reply
  } catch (error) {
    // the server replied: the next attempt is another operation; without a reply it stays the same one
    if (!isApiError(error) || !error.isTransient) open.delete(content)
    // the operation whose reply was lost has been reclaimed since: start another
    if (isRepeat && isApiError(error) && error.code === 'OPERATION_MISMATCH') return sendOnce(content, send)
    throw error
  }
}
