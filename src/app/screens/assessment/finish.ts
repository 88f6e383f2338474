import { network } from '#app/api/network.ts'
import { changeInstance, loadInstance, type InstanceKey } from '#app/offline/device-store.ts'
import { sendNow, tellChanged } from '#app/offline/outbox.ts'

/** results: completed, go there · open: something is unanswered after all · waiting: done here, sent when it can be (ruling 14) */
export type Finished = 'results' | 'open' | 'waiting'

/** Submit: the chain is on the disk before anything is sent, and goes on at the next start if it dies. §4, ruling 14 */
export async function finish(key: InstanceKey): Promise<Finished> {
  await changeInstance(key, { finish: 'save', trouble: null })
  tellChanged(key)
  await sendNow()
  const instance = await loadInstance(key)
  if (instance?.summary.status === 'COMPLETED') return 'results'
  return instance?.finish ? 'waiting' : 'open'
}

/** The player wants to change something before it is sent. */
export async function reopen(key: InstanceKey): Promise<void> {
  await changeInstance(key, { finish: null })
  tellChanged(key)
}

const PATIENCE = 3000

/** Save and exit: everything is on the disk already; where there is a connection, the account gets it before the dashboard shows. §4 */
export async function saveAndExit(): Promise<void> {
  if (!network.isReachable()) return
  await Promise.race([sendNow(), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
}
