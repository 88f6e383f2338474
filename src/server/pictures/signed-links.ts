import { createHmac } from 'node:crypto'
import { isSameSecret, type Keys } from '../keys.ts'

/** Addresses under /media/ that say until when they are good, and that nobody else can make. */

const SIGNATURE = '&signature='

/** `path` with its query → the same with expiry and signature. */
export function signedLink(keys: Keys, path: string, expiresAt: Date): string {
  const signed = `${path}${path.includes('?') ? '&' : '?'}expires=${Math.floor(expiresAt.getTime() / 1000)}`
  return signed + SIGNATURE + signatureOf(keys, signed)
}

/** Whether a request's url is one of ours, whole and in time. */
export function isSignedLink(keys: Keys, url: string, now: Date): boolean {
  const at = url.lastIndexOf(SIGNATURE)
  if (at === -1) return false
  const signed = url.slice(0, at)
  const expires = /[?&]expires=(\d+)$/.exec(signed)?.[1]
  return isSameSecret(url.slice(at + SIGNATURE.length), signatureOf(keys, signed)) && Number(expires) * 1000 > now.getTime()
}

function signatureOf(keys: Keys, signed: string): string {
  // a key of its own, so that no text signed here is ever a token elsewhere
  const key = createHmac('sha256', keys.refreshKey).update('media links').digest()
  return createHmac('sha256', key).update(signed).digest('base64url')
}
