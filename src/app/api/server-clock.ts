import { DAY_MS } from '#contract/rules/dates.ts'
import { noteContact, storedContact } from './last-contact.ts'

/** How far the server's clock is ahead of the device's: by the Date header of this page's last reply, else as the last visit knew it. SESSION-15 */
let heardMs: number | undefined
let rememberedMs: number | undefined

// The Date header has whole seconds, and a reply takes time: smaller differences are ignored.
const noticeableMs = 5000

export function noteServerDate(date: string | null, deviceNow = Date.now()): void {
  const server = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(server)) return
  noteContact({ device: deviceNow, server })
  heardMs = noticeable(server - deviceNow)
}

const noticeable = (ms: number) => (Math.abs(ms) < noticeableMs ? 0 : ms)

/** Epoch ms by the server's clock, as far as it is known. */
export function serverNow(): number {
  return byServer(Date.now())
}

/** An instant of the device's clock by the server's. */
export function byServer(device: number): number {
  return device + ahead()
}

/** An instant of the server's clock, which is past, by the device's. */
export function byDevice(server: number): number {
  return Math.min(server - ahead(), Date.now())
}

/** Whether a reply to this page told its time. */
export const hasHeardServer = () => heardMs !== undefined

function ahead(): number {
  if (heardMs !== undefined) return heardMs
  rememberedMs ??= storedAhead()
  return rememberedMs
}

/** What the last visit learned, unless the device's clock has been set right since. */
function storedAhead(): number {
  const contact = storedContact()
  if (!contact) return 0
  const now = Date.now()
  const difference = noticeable(contact.server - contact.device)
  // it has gone back, as a clock that was ahead does when it is set right
  if (now < contact.device) return 0
  // it was days behind, and has reached the server's: with the same clock all of that time would have passed
  return difference >= DAY_MS && now >= contact.server ? 0 : difference
}
