import { isApiError } from '#app/api/api-error.ts'

/**
 * An operation id names one exact content (ruling 11), here one coach, one player and one assessment: whoever tries the same again
 * after an answer was lost sends the same id, also from a dialog that was opened anew, and spends no second token.
 */
const open = new Map<string, string>()

export function operationFor(content: string): string {
  const operationId = open.get(content) ?? crypto.randomUUID()
  open.set(content, operationId)
  return operationId
}

/** Answered: the next time is another operation. Without an answer it stays the same one. */
export function settleOperation(content: string, error?: unknown): void {
  if (!isApiError(error) || !error.isTransient) open.delete(content)
}
