import { retryDelay } from '#app/api/backoff.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { fetchOwn } from '#app/device/fetch-instance.ts'
import { mayStore } from '#app/device/owner.ts'
import { stateBeforeFetch, setRefusal, storeInstance, unstoredInstancesOf } from '#app/device/store/device-store.ts'
import { textOfKey, type InstanceKey } from '#app/device/store/stored.ts'
import { hasElapsed } from '#app/device-clock.ts'
import { SendFailure } from '#app/sync/sync.ts'
import { trackSend } from './api-network.ts'
import { DAY_MS } from '#contract/rules/dates.ts'
import { emitChanged } from './sync-events.ts'

/** Answers are sent once their instance is stored. This stores instances that the disk refused or lost. ANSWERS-18 */

/** One that the server refuses is requested again this often, in case it gets it back: ms. */
const REFUSED_RETRY_MS = DAY_MS
/** Between reads of one that the disk does not take, ms: doubled each time. */
const WAITS = { first: 30_000, longest: 600_000 }

/** The earliest time at which this page may request each again, by `performance.now`. */
const waits = new Map<string, { failures: number; from: number }>()

/** Stores the instances of which answers are here, without their questions, which may not fit. Never rejects. Resolves to the ids of those it stored. */
export async function storeMissing(userId: string): Promise<string[]> {
  const missing = await unstoredInstancesOf(userId).catch((error: unknown) => {
    console.warn('Could not tell what is stored without its assessment', error)
    return []
  })
  const stored: string[] = []
  for (const { instanceId, refusedAt } of missing) {
    const key = { userId, instanceId }
    if (isTooEarly(key, refusedAt)) continue
    const failure = await storeWithoutQuestions(key).catch((error: unknown) => error)
    if (!mayStore(userId)) return stored
    if (failure === undefined) {
      waits.delete(textOfKey(key))
      stored.push(instanceId)
    } else {
      console.warn(`Could not store ${instanceId}, which has answers on this device`, failure)
      // the others would get no reply either
      if (failure instanceof SendFailure && failure.reason === 'unreachable') return stored
      await noteFailure(key, failure)
    }
    emitChanged(key)
  }
  return stored
}

/** Ends the waits for an instance, as the player pressed "try again". Rejects if the device cannot be written. */
export async function allowRetryOfMissing(key: InstanceKey): Promise<void> {
  waits.delete(textOfKey(key))
  await setRefusal(key, undefined)
}

async function storeWithoutQuestions(key: InstanceKey): Promise<void> {
  const language = currentLanguage()
  const before = await stateBeforeFetch(key)
  const instance = await trackSend(fetchOwn(key, language))
  const isPresent = () => mayStore(key.userId)
  if (isPresent()) await storeInstance(key.userId, language, instance, before, { hasQuestions: false, mayStore: isPresent })
}

function isTooEarly(key: InstanceKey, refusedAt: number | undefined): boolean {
  return !hasElapsed(refusedAt ?? Number.NEGATIVE_INFINITY, REFUSED_RETRY_MS) || performance.now() < (waits.get(textOfKey(key))?.from ?? 0)
}

async function noteFailure(key: InstanceKey, failure: unknown): Promise<void> {
  const failures = (waits.get(textOfKey(key))?.failures ?? 0) + 1
  const isRefused = failure instanceof SendFailure
  const wait = isRefused ? REFUSED_RETRY_MS : retryDelay(failures, undefined, WAITS)
  // kept in memory, too, as the disk may refuse this as well
  waits.set(textOfKey(key), { failures, from: performance.now() + wait })
  if (isRefused)
    await setRefusal(key, { code: failure.code, at: Date.now() }).catch((error: unknown) =>
      console.warn('A refusal could not be noted', error),
    )
}
