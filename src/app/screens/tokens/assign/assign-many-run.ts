import { isApiError } from '#app/api/api-error.ts'
import { lineKey, type AssignLine } from '#app/device/assign-draft.ts'
import { possibleFrom } from '#app/screens/tokens/token-trouble.ts'

const LANES = 3

/** Codes that are final for this player. */
const FINAL = new Set(['COACH_ALLOCATION_NOT_ALLOWED', 'ALREADY_ALLOCATED', 'INVALID_EMAIL'])
/** Statuses with which every further line would fail too: credentials, role, an old app, a limit, an unavailable server. */
const STOPPING = new Set([401, 403, 426, 429, 503])

export interface RunPorts {
  /** rejects with `ApiError` */
  allocate: (account: string, operationId: string) => Promise<unknown>
  /** resolves once the line is stored on the device, or cannot be */
  store: (key: string, line: AssignLine) => Promise<void>
  /** not stopped, and still the same coach */
  mayContinue: () => boolean
  randomId: () => string
  now: () => number
}

/**
 * Gives an assessment to each account, three at a time. An operation id is stored before it is sent and reused by every retry of
 * its line, so that a lost reply never costs a second token; a line's failure does not hold up the others.
 */
export async function sendList(
  assessmentId: string,
  accounts: readonly string[],
  known: Readonly<Record<string, AssignLine>>,
  ports: RunPorts,
): Promise<void> {
  const waiting = [...accounts]
  /** resolves to whether the next line may be sent */
  function sendOne(account: string): Promise<boolean> {
    const key = lineKey(assessmentId, account)
    const before = known[key]
    // sent, and reclaimed since: another operation
    return sendAs(before && before.outcome !== 'sent' ? before.operationId : ports.randomId(), account, key)
  }

  async function sendAs(operationId: string, account: string, key: string, isRetry = false): Promise<boolean> {
    await ports.store(key, { operationId, outcome: 'unknown', at: ports.now() })
    try {
      await ports.allocate(account, operationId)
      await ports.store(key, { operationId, outcome: 'sent', at: ports.now() })
      return true
    } catch (error) {
      const code = codeOf(error)
      // its id is used up: for something else, or for what was reclaimed since
      if (code === 'OPERATION_MISMATCH' && !isRetry) return sendAs(ports.randomId(), account, key, true)
      const next = code === 'OPERATION_MISMATCH' ? ports.randomId() : operationId
      const until = possibleFrom(error)
      const outcome = outcomeOf(error, code)
      await ports.store(key, { operationId: next, outcome, code, at: ports.now(), ...(until === undefined ? {} : { until }) })
      return !isStopping(error)
    }
  }

  async function lane(): Promise<void> {
    while (ports.mayContinue()) {
      const account = waiting.shift()
      if (account === undefined) return
      // for every lane: what stops one would stop all
      if (!(await sendOne(account))) waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

/** Without a reply from the server it may have been given anyway. */
function outcomeOf(error: unknown, code: string): AssignLine['outcome'] {
  if (FINAL.has(code)) return 'refused'
  return isApiError(error) && error.isOutcomeUnknown && error.code === undefined ? 'unknown' : 'failed'
}

function codeOf(error: unknown): string {
  return isApiError(error) ? (error.code ?? error.kind) : 'UNEXPECTED'
}

function isStopping(error: unknown): boolean {
  if (!isApiError(error)) return false
  // says nothing about the next address
  if (error.code === 'ADDRESS_LIMIT') return false
  return error.kind !== 'HTTP' || error.code === 'NO_TOKENS_AVAILABLE' || STOPPING.has(error.status ?? 0)
}
