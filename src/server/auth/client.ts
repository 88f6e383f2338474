import { createHmac } from 'node:crypto'
import type { Keys } from '../keys.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { ofAddress } from './count-keys.ts'

/** Identifies the calling device as far as possible, without its location and separately for each person who uses it. */

/** Hash of the random id that a device stores for each e-mail; '' if it sent none. */
export function clientOf({ refreshKey }: Keys, email: string, deviceId: string | undefined): string {
  return deviceId === undefined ? '' : hash(refreshKey, `client:${normalEmail(email)}:${deviceId.toLowerCase()}`)
}

/** Names the key of `clientOf`. */
export function clientKeyName({ refreshKey }: Keys): string {
  return hash(refreshKey, 'client')
}

/** Stands for all unknown devices at a network address, as a hash, since the address itself is not stored. */
export function unknownDeviceAt({ refreshKey }: Keys, email: string, address: string): string {
  return ofAddress(hash(refreshKey, `source:${normalEmail(email)}:${address}`))
}

function hash(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
}

const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * What a device calls itself, without versions: `Chrome, Android`; for other programs their own name, `curl`; '' if there is none.
 */
export function agentOf(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, 500)
  const named = [BROWSERS, SYSTEMS].flatMap((kinds) => kinds.find(([mark]) => mark.test(text))?.[1] ?? [])
  return named.length > 0 ? named.join(', ') : (/^[A-Za-z][A-Za-z ._-]{0,29}(?=$|[/\s(])/.exec(text)?.[0].trim() ?? '')
}
