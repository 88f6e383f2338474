import type { Deps } from '../deps.ts'
import type { Asked } from '../http/handle.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { note } from './store.ts'

/** What an operator's call may name of what it is about; never an address. */
const SUBJECTS = ['userId', 'assessmentId', 'instanceId'] as const

// what is on offer anybody who signed in may read
const OPEN = new Set(['assessments.list', 'assessments.get'])

/** Notes a call made with the operator's key, before it is carried out. */
export function noteOperatorCalls({ db, clock }: Pick<Deps, 'db' | 'clock'>): (call: string, asked: Asked<Endpoint>) => Promise<void> {
  return async (call, asked) => {
    if (asked.caller.kind !== 'operator' || OPEN.has(call)) return
    const named = { ...fieldsOf(asked.body), ...fieldsOf(asked.query), ...fieldsOf(asked.params) }
    const subjects = SUBJECTS.flatMap((name) => (typeof named[name] === 'string' ? [named[name]] : []))
    await note(db, { event: 'operator-call', userId: null, about: [call, ...subjects].join(' ') }, clock.now())
  }
}

function fieldsOf(part: unknown): Record<string, unknown> {
  return typeof part === 'object' && part !== null ? { ...part } : {}
}
