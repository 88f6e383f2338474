import { retryDelay } from '#app/api/backoff.ts'
import { SEND_WAITS } from '#app/constants.ts'
import { sendTrouble } from './send-trouble.ts'
import { agrees, operationOf, type AnswerRow, type NetworkPort, type OperationIdentity, type OperationRow } from '#app/sync/sync.ts'

/** The last save of an instance that went past the disk: the same edits go out again under the same id. */
interface Attempt {
  operation: OperationRow
  failures: number
  retryFrom: number
}

const attempts = new Map<string, Attempt>()

const isOf = ({ operation: { edits } }: Attempt, rows: readonly AnswerRow[]) =>
  Object.keys(edits).length === rows.length && rows.every(({ questionId, edit }) => edits[questionId] === edit)

/**
 * Rows that the disk refused go straight to the server, as seldom as any others while it is in trouble; the edits it took. ANSWERS-18
 * @param isAsked the player wants it now
 */
export async function sendPastDisk(
  rows: readonly AnswerRow[],
  identity: Omit<OperationIdentity, 'id'>,
  save: NetworkPort<unknown>['save'],
  isAsked = false,
): Promise<string[]> {
  if (!(isAsked ? sendTrouble.mayAsk() : sendTrouble.mayRetry())) return []
  const before = attempts.get(identity.instanceId)
  const attempt =
    before && isOf(before, rows)
      ? before
      : { operation: operationOf(rows, { ...identity, id: crypto.randomUUID() }), failures: 0, retryFrom: Number.NEGATIVE_INFINITY }
  if (!isAsked && performance.now() < attempt.retryFrom) return []
  attempts.set(identity.instanceId, attempt)
  const { operation } = attempt
  // what is under way, or refused, is not sent again every time the disk is tried
  attempt.failures += 1
  attempt.retryFrom = performance.now() + retryDelay(attempt.failures, undefined, SEND_WAITS)
  const reply = await save(operation.body)
  if (!agrees(operation, reply)) return []
  attempts.delete(identity.instanceId)
  return reply.groups.flatMap(({ questionId }) => operation.edits[questionId] ?? [])
}
