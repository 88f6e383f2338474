import { createHmac } from 'node:crypto'
import { isSameSecret, type Keys } from '../keys.ts'

/** Signed URLs under /media/ with an expiry. */

const SIGNATURE = '&signature='

/** Adds expiry and signature to a path and its query. */
export function signedLink(keys: Keys, path: string, expiresAt: Date): string {
  const signed = `${path}${path.includes('?') ? '&' : '?'}expires=${Math.floor(expiresAt.getTime() / 1000)}`
  return signed + SIGNATURE + signatureOf(keys, signed)
}

/** Whether the server signed this URL, and it has neither changed nor expired. */
export function isSignedLink(keys: Keys, url: string, now: Date): boolean {
  const at = url.lastIndexOf(SIGNATURE)
  if (at === -1) return false
  const signed = url.slice(0, at)
  const expires = /[?&]expires=(\d+)$/.exec(signed)?.[1]
  return isSameSecret(url.slice(at + SIGNATURE.length), signatureOf(keys, signed)) && Number(expires) * 1000 > now.getTime()
}

function signatureOf(keys: Keys, signed: string): string {
  // a derived key, so that nothing signed here is valid as another kind of token
  const key = createHmac('sha256', keys.refreshKey).update('media links').digest()
  return createHmac('sha256', key).update(signed).digest('base64url')
}
