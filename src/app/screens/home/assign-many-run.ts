import { isApiError } from '#app/api/api-error.ts'
import { lineKey, type AssignLine } from '#app/offline/assign-draft.ts'
import { possibleFrom } from './token-trouble.ts'

const LANES = 3

/** These say no to this player for good. */
const FINAL = new Set(['COACH_ALLOCATION_NOT_ALLOWED', 'ALREADY_ALLOCATED', 'INVALID_EMAIL'])
/** With these, every further line would fail alike: no credentials, no role, too old an app, too many, not there. */
const STOPPING = new Set([401, 403, 426, 429, 503])

export interface RunPorts {
  /** rejects with `ApiError` */
  allocate: (account: string, operationId: string) => Promise<unknown>
  /** resolves once the line is on the device, or cannot be kept there */
  keep: (key: string, line: AssignLine) => Promise<void>
  /** still wanted, and still this coach */
  mayGoOn: () => boolean
  randomId: () => string
  now: () => number
}

/**
 * Gives an assessment to each account, three at a time. An id is kept before it is sent and goes with every retry of its
 * line, so that a lost answer never costs a second token; one line's trouble holds up no other.
 */
export async function sendList(
  assessmentId: string,
  accounts: readonly string[],
  known: Readonly<Record<string, AssignLine>>,
  ports: RunPorts,
): Promise<void> {
  const waiting = [...accounts]
  let isOver = false

  async function sendOne(account: string): Promise<void> {
    const key = lineKey(assessmentId, account)
    const before = known[key]
    // sent, and taken back since: another operation
    const operationId = before && before.outcome !== 'sent' ? before.operationId : ports.randomId()
    await ports.keep(key, { operationId, outcome: 'unknown', at: ports.now() })
    try {
      await ports.allocate(account, operationId)
      await ports.keep(key, { operationId, outcome: 'sent', at: ports.now() })
    } catch (error) {
      isOver ||= isTheEnd(error)
      const code = codeOf(error)
      const next = code === 'OPERATION_MISMATCH' ? ports.randomId() : operationId
      const until = possibleFrom(error)
      const outcome = FINAL.has(code) ? 'refused' : 'failed'
      await ports.keep(key, { operationId: next, outcome, code, at: ports.now(), ...(until === undefined ? {} : { until }) })
    }
  }

  async function lane(): Promise<void> {
    while (!isOver && ports.mayGoOn()) {
      const account = waiting.shift()
      if (account === undefined) return
      await sendOne(account)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

function codeOf(error: unknown): string {
  return isApiError(error) ? (error.code ?? error.kind) : 'UNEXPECTED'
}

function isTheEnd(error: unknown): boolean {
  if (!isApiError(error)) return false
  // says nothing of the next address
  if (error.code === 'ADDRESS_LIMIT') return false
  return error.kind !== 'HTTP' || error.code === 'NO_TOKENS_AVAILABLE' || STOPPING.has(error.status ?? 0)
}
