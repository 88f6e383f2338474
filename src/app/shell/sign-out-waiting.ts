import { network } from '#app/api/network.ts'
import { loadOutbox } from '#app/offline/later.ts'
import { countUnsent } from '#app/session/private-stores.ts'
import { session } from '#app/session/session.ts'

/** What the server has not got yet of the person who wants to leave (ruling 6). */
export interface Waiting {
  answers: number
  /** assessments whose Submit has not arrived */
  submits: number
}

export async function countWaiting(): Promise<Waiting> {
  const [answers, instances] = await Promise.all([countUnsent(), instancesOnDevice()])
  // after `complete` only the result is left to be read
  const submits = instances.filter(({ finish }) => finish === 'save' || finish === 'complete').length
  return { answers, submits }
}

/** The code of what keeps it from being sent, as in `errors.json`: a refusal's own, where there was one. */
export async function whyNotSent(): Promise<string> {
  const instances = await instancesOnDevice().catch(() => [])
  const refused = instances.find(({ trouble }) => trouble !== null)?.trouble?.code
  return refused ?? (network.isReachable() ? 'UNAVAILABLE' : 'FETCH_ERROR')
}

async function instancesOnDevice() {
  const userId = session.get().user?.id
  if (userId === undefined) return []
  // what cannot be counted, as its part could not be had, is kept and not asked about
  const outbox = await loadOutbox().catch(() => undefined)
  return outbox ? outbox.instancesOf(userId) : []
}
