import type { Deps } from '../deps.ts'
import type { HandlerInput } from '../http/handler.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { appendAuditEntry } from './store.ts'

/** The parameters of an operator's call that may be logged; never an address. */
const SUBJECTS = ['userId', 'assessmentId', 'instanceId', 'queue', 'jobId'] as const

// everybody who is signed in may read these
const OPEN = new Set(['assessments.list', 'assessments.get'])

/** Logs a call made with the operator's key, before it is carried out. */
export function noteOperatorCalls({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): (call: string, input: HandlerInput<Endpoint>) => Promise<void> {
  return async (call, input) => {
    if (input.caller.kind !== 'operator' || OPEN.has(call)) return
    const named = { ...fieldsOf(input.body), ...fieldsOf(input.query), ...fieldsOf(input.params) }
    const subjects = SUBJECTS.flatMap((name) => (typeof named[name] === 'string' ? [named[name]] : []))
    await appendAuditEntry(db, { event: 'operator-call', userId: null, about: [call, ...subjects].join(' ') }, clock.now())
  }
}

function fieldsOf(part: unknown): Record<string, unknown> {
  return typeof part === 'object' && part !== null ? { ...part } : {}
}
