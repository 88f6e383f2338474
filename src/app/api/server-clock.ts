/** The device clock is a hint (SESSION-15): how far the server's is ahead of it, by the Date of the last reply. */

let aheadMs = 0

// Date has whole seconds, and a reply takes time: less than this is no difference.
const noticeableMs = 5000

export function noteServerDate(date: string | null, deviceNow = Date.now()): void {
  const server = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(server)) return
  const difference = server - deviceNow
  aheadMs = Math.abs(difference) < noticeableMs ? 0 : difference
}

/** Epoch milliseconds as the server has them, as far as is known. */
export function serverNow(): number {
  return Date.now() + aheadMs
}
