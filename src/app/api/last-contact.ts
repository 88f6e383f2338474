import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { createEvent } from './events.ts'

/** When the server last replied to this device, also before the app was opened. DEVICE-2 */
const KEY = 'lastContact'
// so that not every reply writes to the disk
const STORED_EVERY_MS = 30_000

/** The same moment by both clocks, epoch ms. */
export interface Contact {
  device: number
  server: number
}

const changed = createEvent()
export const onContact = changed.subscribe

let last: Contact | undefined
let stored: Contact | undefined

export function noteContact(contact: Contact): void {
  last = contact
  if (!stored || Math.abs(contact.device - stored.device) >= STORED_EVERY_MS) {
    stored = contact
    trySetItem(KEY, `${contact.device} ${contact.server}`)
  }
  changed.emit()
}

/** When the server last replied, by the device's clock; undefined if it never has. */
export function lastContact(): number | undefined {
  last ??= storedContact()
  return last?.device
}

/** The last contact as stored on the disk. */
export function storedContact(): Contact | undefined {
  const [device, server = device] = (recall() ?? '').split(' ').map(Number)
  return device && server ? { device, server } : undefined
}

function recall(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
