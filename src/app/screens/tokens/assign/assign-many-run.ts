import { isApiError, staysUnknown } from '#app/api/api-error.ts'
import { codeFor } from '#app/api/message-for.ts'
import { lineKey, type AssignLine } from '#app/device/assign-draft.ts'
import { possibleFrom } from '#app/screens/tokens/token-trouble.ts'

/** How many are sent at the same time. */
const CONCURRENCY = 3

/** Codes with which this player's line cannot be sent at all. */
const FINAL = new Set(['COACH_ALLOCATION_NOT_ALLOWED', 'ALREADY_ALLOCATED', 'INVALID_EMAIL'])
/** Limits that the server checks after it has looked for the operation: so that one was not carried out, whatever became of its reply. */
const AFTER_OPERATION = new Set(['ALLOCATION_LIMIT', 'ADDRESS_LIMIT'])
/** Statuses after which every other line would fail too: a limit, an unavailable server. */
const STOPPING = new Set([429, 503])
/** The same, if our server replied: credentials, role, an old app. A filter may refuse one line only. */
const STOPPING_IF_OURS = [401, 403, 426]

interface RunPorts {
  /** rejects with `ApiError` */
  allocate: (account: string, operationId: string) => Promise<unknown>
  /** resolves once the line is stored on the device or that has failed */
  store: (key: string, line: AssignLine) => Promise<void>
  /** false once stopped, or when another person is signed in */
  mayContinue: () => boolean
  randomId: () => string
  now: () => number
}

/**
 * Allocates the assessment to each account. A line's operation id is stored before it is sent and reused by every retry, so that a
 * lost reply never costs a second token. One line's failure does not stop the others, unless they would fail too.
 * @returns `isCutShort`: a failure kept lines from being tried
 */
export async function sendList(
  assessmentId: string,
  accounts: readonly string[],
  known: Readonly<Record<string, AssignLine>>,
  ports: RunPorts,
): Promise<{ isCutShort: boolean }> {
  const waiting = [...accounts]
  let isCutShort = false
  /** resolves to whether the next line may be sent */
  function sendOne(account: string): Promise<boolean> {
    const key = lineKey(assessmentId, account)
    const before = known[key]
    const isLost = before?.outcome === 'unknown'
    const sent = before?.outcome === 'sent' ? before : undefined
    // sent before and reclaimed since: a new operation
    return sendAs(before && !sent ? before.operationId : ports.randomId(), account, key, { isLost, sent })
  }

  interface Attempt {
    /** it is not known what became of an earlier one with this id */
    isLost?: boolean
    /** as which it was sent before: it seems to have been reclaimed */
    sent?: AssignLine | undefined
    isRetry?: boolean
  }

  async function sendAs(
    operationId: string,
    account: string,
    key: string,
    { isLost = false, sent, isRetry = false }: Attempt,
  ): Promise<boolean> {
    await ports.store(key, { operationId, outcome: 'unknown', at: ports.now() })
    try {
      await ports.allocate(account, operationId)
      await ports.store(key, { operationId, outcome: 'sent', at: ports.now() })
      return true
    } catch (error) {
      const code = codeOf(error)
      if (sent && code === 'ALREADY_ALLOCATED') {
        // the tokens that were read were older than they seemed
        await ports.store(key, { operationId: sent.operationId, outcome: 'sent', at: ports.now() })
        return true
      }
      // the id belongs to another operation, or to one reclaimed since: try once with a new id
      if (code === 'OPERATION_MISMATCH' && !isRetry) return sendAs(ports.randomId(), account, key, { isRetry: true })
      const next = code === 'OPERATION_MISMATCH' ? ports.randomId() : operationId
      const until = possibleFrom(error)
      // what refuses this attempt may say nothing of an earlier one, whose reply was lost
      const isStillLost = isLost && !AFTER_OPERATION.has(code) && staysUnknown(true, error)
      const outcome = isStillLost ? 'unknown' : outcomeOf(error, code)
      await ports.store(key, { operationId: next, outcome, code, ...(until === undefined ? {} : { until }), at: ports.now() })
      return !isStopping(error)
    }
  }

  async function sendWaiting(): Promise<void> {
    while (ports.mayContinue()) {
      const account = waiting.shift()
      if (account === undefined) return
      if (await sendOne(account)) continue
      // empties the queue for all senders: the other lines would fail too
      isCutShort ||= waiting.length > 0 && ports.mayContinue()
      waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendWaiting))
  return { isCutShort }
}

/** The outcome of a line that failed. Without a reply, or after one of a server that failed or gave up waiting, the allocation may have succeeded. */
function outcomeOf(error: unknown, code: string): AssignLine['outcome'] {
  if (FINAL.has(code)) return 'refused'
  return isApiError(error) && error.isOutcomeUnknown ? 'unknown' : 'failed'
}

function codeOf(error: unknown): string {
  return isApiError(error) ? codeFor(error) : 'UNEXPECTED'
}

function isStopping(error: unknown): boolean {
  if (!isApiError(error)) return false
  // a limit of this address only
  if (error.code === 'ADDRESS_LIMIT') return false
  // a proxy that fails would fail for all
  const isOfProxy = error.isNotOurs && error.isOutcomeUnknown
  if (error.kind !== 'HTTP' || isOfProxy || error.code === 'NO_TOKENS_AVAILABLE') return true
  return STOPPING.has(error.status ?? 0) || error.refusedWith(...STOPPING_IF_OURS)
}
