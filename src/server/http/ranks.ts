import type { EndpointName } from '../limits/limits.ts'
import type { Rank } from './call-slots.ts'

/** What is refused last, and what first, when there is more to do than can be done (http/call-slots.ts). Any other call is in between. */
const RANKS: Partial<Record<EndpointName, Exclude<Rank, 'begun'>>> = {
  'instances.saveResponses': 'answers',
  'instances.complete': 'answers',
  'files.bring': 'answers',
  'auth.refresh': 'answers',
  'auth.automaticRefresh': 'answers',

  'auth.initiate': 'codes',
  'auth.sendOtp': 'codes',
  'users.deactivateCode': 'codes',

  'assessments.checkout': 'payments',
  'assessments.completeCheckout': 'payments',
  'tokens.checkout': 'payments',
  'tokens.completeCheckout': 'payments',
  'payments.webhook': 'payments',

  'pictures.finalize': 'pictures',

  // a screen can do without them
  'pictures.avatar': 'lists',

  'assessments.list': 'lists',
  'instances.list': 'lists',
  'instances.allocated': 'lists',
  'tokens.list': 'lists',
  'marks.list': 'lists',
  'auth.sessions': 'lists',
  'users.list': 'lists',
  'jobs.list': 'lists',
  'hits.list': 'lists',
  'mails.bounces': 'lists',
  'payments.toCheck': 'lists',
  'sports.list': 'lists',
  'reference.sports': 'lists',
  'reference.positions': 'lists',
  'reference.teamOptions': 'lists',
  'reference.countries': 'lists',
}

const ranks = new Map(Object.entries(RANKS))

/** null: never refused and never waits, since it asks whether this process is there. */
export function rankOf(call: string): Exclude<Rank, 'begun'> | null {
  return call === 'health.get' ? null : (ranks.get(call) ?? 'others')
}
