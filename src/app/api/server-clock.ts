import { noteContact } from './last-contact.ts'

/** How far the server's clock is ahead of the device's, by the Date header of the last reply. SESSION-15 */
let aheadMs = 0

// The Date header has whole seconds, and a reply takes time: smaller differences are ignored.
const noticeableMs = 5000

export function noteServerDate(date: string | null, deviceNow = Date.now()): void {
  const server = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(server)) return
  noteContact(deviceNow)
  const difference = server - deviceNow
  aheadMs = Math.abs(difference) < noticeableMs ? 0 : difference
}

/** Epoch ms by the server's clock, as far as it is known. */
export function serverNow(): number {
  return Date.now() + aheadMs
}
