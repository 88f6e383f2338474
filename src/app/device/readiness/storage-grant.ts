import { readDeviceValue, writeDeviceValue } from '#app/device/store/device-store.ts'
import { answersChannel } from '#app/device/store/stored.ts'

/** Whether this browser promises to keep stored data (`navigator.storage.persist`), or may clear it when it is short of space. */
export type StorageGrant = 'persistent' | 'may-clear'

// Requested separately in a tab and in the installed app: browsers may grant it to one and refuse the other.
const CONTEXTS = ['browser', 'installed'] as const
const keyOf = (context: (typeof CONTEXTS)[number]) => `storage-asked-in-${context}`

/** Requests it once in each context, after the first answer is stored, when the browser's prompt makes sense. Called once, by start.ts. */
export function requestPersistenceAfterFirstAnswer(): void {
  const channel = new BroadcastChannel(answersChannel)
  channel.addEventListener('message', () => {
    // only in the visible tab, as the browser may show a prompt
    if (document.hidden) return
    channel.close()
    requestPersistence().catch((error: unknown) => console.warn('The browser was not asked to keep what is on this device', error))
  })
}

async function requestPersistence(): Promise<void> {
  if (!canRequest()) return
  const key = keyOf(matchMedia('(display-mode: browser)').matches ? 'browser' : 'installed')
  if (await readDeviceValue(key)) return
  // stored first, so that a prompt closed without an answer is not repeated
  await writeDeviceValue(key, 'asked')
  await navigator.storage.persist()
}

/** Some browsers have no such request (WebKitGTK), and none has it on plain http. */
const canRequest = () => 'storage' in navigator && 'persist' in navigator.storage

/** Undefined until it was requested; a browser without the request never promises. Rejects where nothing can be stored at all. */
export async function storageGrant(): Promise<StorageGrant | undefined> {
  if (typeof indexedDB === 'undefined') throw new Error('this browser has no databases')
  if (!canRequest()) return isSecureContext ? 'may-clear' : undefined
  const requests = await Promise.all(CONTEXTS.map((context) => readDeviceValue(keyOf(context))))
  if (requests.every((value) => value === undefined)) return undefined
  return (await navigator.storage.persisted()) ? 'persistent' : 'may-clear'
}
