import { retryDelay } from '#app/api/backoff.ts'
import { SEND_WAITS } from '#app/constants.ts'
import { sendTrouble } from './send-trouble.ts'
import { addKnownId } from '#app/device/known-saves.ts'
import {
  matchesReply,
  operationOf,
  SendFailure,
  type AnswerRow,
  type NetworkPort,
  type OperationIdentity,
  type OperationRow,
} from '#app/sync/sync.ts'

/** The last direct save of an instance. A retry with the same edits sends the same operation. */
interface Attempt {
  operation: OperationRow
  failures: number
  retryFrom: number
}

const attempts = new Map<string, Attempt>()

const hasSameEdits = ({ operation: { edits } }: Attempt, rows: readonly AnswerRow[]) =>
  Object.keys(edits).length === rows.length && rows.every(({ questionId, edit }) => edits[questionId] === edit)

/**
 * Sends rows that the disk refused straight to the server, with the same waits after failures as other saves. ANSWERS-18
 * @param isManual the player pressed a button: only the server's own Retry-After is waited for
 * @returns the edits that the server took; none if it is too early
 */
export async function sendRowsToServer(
  rows: readonly AnswerRow[],
  identity: Omit<OperationIdentity, 'id'>,
  save: NetworkPort<unknown>['save'],
  isManual = false,
): Promise<string[]> {
  if (!(isManual ? sendTrouble.maySend() : sendTrouble.mayRetry())) return []
  const before = attempts.get(identity.instanceId)
  const attempt =
    before && hasSameEdits(before, rows)
      ? before
      : { operation: operationOf(rows, { ...identity, id: crypto.randomUUID() }), failures: 0, retryFrom: Number.NEGATIVE_INFINITY }
  if (!isManual && performance.now() < attempt.retryFrom) return []
  attempts.set(identity.instanceId, attempt)
  const { operation } = attempt
  addKnownId(identity.instanceId, operation.id)
  // counted before the call: a save in progress, or a refused one, is not repeated at every retry of the disk
  attempt.failures += 1
  attempt.retryFrom = performance.now() + retryDelay(attempt.failures, undefined, SEND_WAITS)
  const reply = await save(operation.body).catch((error: unknown) => {
    // closed by an answers file that was made after it: the same rows are sent under a new id
    if (error instanceof SendFailure && error.code === 'OPERATION_MISMATCH') attempts.delete(identity.instanceId)
    throw error
  })
  if (!matchesReply(operation, reply)) return []
  attempts.delete(identity.instanceId)
  const sent = reply.groups.flatMap(({ questionId }) => operation.edits[questionId] ?? [])
  const displaced = rows.filter(({ edit }) => !sent.includes(edit))
  // they stay displaced until the disk can store them as late answers, so they wait as after a failure
  if (displaced.length > 0)
    attempts.set(identity.instanceId, { ...attempt, operation: operationOf(displaced, { ...identity, id: crypto.randomUUID() }) })
  return sent
}
