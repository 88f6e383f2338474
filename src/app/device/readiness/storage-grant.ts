import { readDeviceValue, writeDeviceValue } from '#app/device/store/device-store.ts'
import { answersChannel } from '#app/device/store/stored.ts'

/** Whether this browser promises not to delete what is stored (`navigator.storage.persist`), or may clear it when it is short of space. */
export type StorageGrant = 'persistent' | 'may-clear'

// Asked separately in a tab and in the installed app: browsers may grant it to one and refuse the other.
const PLACES = ['browser', 'installed'] as const
const keyOf = (place: (typeof PLACES)[number]) => `storage-asked-in-${place}`

/** Asks once in each place, after the first answer is stored, when the browser's question makes sense. Called once, by start.ts. */
export function askAfterFirstAnswer(): void {
  const channel = new BroadcastChannel(answersChannel)
  channel.addEventListener('message', () => {
    // only in the visible tab, as the browser may show a question
    if (document.hidden) return
    channel.close()
    ask().catch((error: unknown) => console.warn('The browser was not asked to keep what is on this device', error))
  })
}

async function ask(): Promise<void> {
  if (!canBeAsked()) return
  const key = keyOf(matchMedia('(display-mode: browser)').matches ? 'browser' : 'installed')
  if (await readDeviceValue(key)) return
  // stored first, so that a question closed without an answer is not repeated
  await writeDeviceValue(key, 'asked')
  await navigator.storage.persist()
}

/** Some browsers cannot, such as those of WebKitGTK, and none can on plain http. */
const canBeAsked = () => 'storage' in navigator && 'persist' in navigator.storage

/** Undefined until it was asked; a browser that cannot be asked never promises. Rejects where nothing is stored at all. */
export async function storageGrant(): Promise<StorageGrant | undefined> {
  if (typeof indexedDB === 'undefined') throw new Error('this browser has no databases')
  if (!canBeAsked()) return isSecureContext ? 'may-clear' : undefined
  const asked = await Promise.all(PLACES.map((place) => readDeviceValue(keyOf(place))))
  if (asked.every((value) => value === undefined)) return undefined
  return (await navigator.storage.persisted()) ? 'persistent' : 'may-clear'
}
