import { remember } from '#app/remember.ts'
import { createEvent } from './events.ts'

/** When the server last replied to this device, also before the app was opened. DEVICE-2 */
const KEY = 'lastContact'
// so that not every reply writes to the disk
const STORED_EVERY_MS = 30_000

const changed = createEvent()
export const onContact = changed.subscribe

let at: number | undefined
let storedAt = Number.NEGATIVE_INFINITY

export function noteContact(now: number): void {
  at = now
  if (Math.abs(now - storedAt) >= STORED_EVERY_MS) {
    storedAt = now
    remember(KEY, String(now))
  }
  changed.emit()
}

/** Epoch ms; undefined if it never has. */
export function lastContact(): number | undefined {
  at ??= Number(recall() ?? Number.NaN)
  return Number.isFinite(at) ? at : undefined
}

function recall(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
