import { network } from '#app/api/network.ts'
import { loadDeviceStore, sendNow } from '#app/device/lazy.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { tellChanged } from '#app/device/sending/sync-events.ts'

/** results: completed, go there · open: something is unanswered after all · waiting: done here, sent when it can be (ANSWERS-10) */
export type Finished = 'results' | 'open' | 'waiting'

/** Submit: the chain is on the disk before anything is sent, and goes on at the next start if it dies. QUESTIONS-17, ANSWERS-10 */
export async function finish(key: InstanceKey): Promise<Finished> {
  const { changeInstance, loadInstance } = await loadDeviceStore()
  await changeInstance(key, { finish: 'save', trouble: null })
  tellChanged(key)
  await sendNow()
  const instance = await loadInstance(key)
  if (instance?.summary.status === 'COMPLETED') return 'results'
  return instance?.finish ? 'waiting' : 'open'
}

/** Submit waits until the details are given (QUESTIONS-19); it is on the disk too, for the tab may die over them. */
export async function waitForDetails(key: InstanceKey): Promise<void> {
  const { changeInstance } = await loadDeviceStore()
  await changeInstance(key, { finish: 'details' })
}

/** Submit is on its way, or done. */
export async function isSubmitted(key: InstanceKey): Promise<boolean> {
  const { loadInstance } = await loadDeviceStore()
  const instance = await loadInstance(key)
  return instance?.summary.status === 'COMPLETED' || (instance?.finish ?? 'details') !== 'details'
}

/** Back at the questions: with the details given meanwhile Submit goes on, without them it is to be pressed again. */
export async function returnFromDetails(key: InstanceKey): Promise<void> {
  await sendNow()
  if (!(await isSubmitted(key))) await reopen(key)
}

/** The player wants to change something before it is sent. */
export async function reopen(key: InstanceKey): Promise<void> {
  const { changeInstance } = await loadDeviceStore()
  await changeInstance(key, { finish: null })
  tellChanged(key)
}

const PATIENCE = 3000

/** Save and exit: everything is on the disk already; where there is a connection, the account gets it before the dashboard shows. QUESTIONS-18 */
export async function saveAndExit(): Promise<void> {
  if (!network.isReachable()) return
  await Promise.race([sendNow(), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
}
