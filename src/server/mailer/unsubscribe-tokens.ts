import { createHash, createHmac } from 'node:crypto'
import { isSameSecret, type Keys } from '../keys.ts'
import { digitsOf, lettersOf } from './digit-letters.ts'

/**
 * The token in a mail's unsubscribe link: the hash of the address and a signature that only we can make. Letters only, since only a
 * code may be a run of 8 digits (MAIL-1).
 */

const HASH_LETTERS = 64
const SIGNATURE_LETTERS = 32

/** What the suppression list stores of an address. */
export function addressHash(emailNormal: string): string {
  return createHash('sha256').update(emailNormal).digest('hex')
}

export function unsubscribeToken(keys: Keys, emailNormal: string): string {
  const hash = addressHash(emailNormal)
  return lettersOf(hash) + signatureOf(keys, hash)
}

/** The hash of the address a token was made for; undefined if the token is not ours. */
export function hashInToken(keys: Keys, token: string): string | undefined {
  const hash = digitsOf(token.slice(0, HASH_LETTERS))
  return isSameSecret(token.slice(HASH_LETTERS), signatureOf(keys, hash)) ? hash : undefined
}

function signatureOf(keys: Keys, hash: string): string {
  // a derived key, so that nothing signed here is valid as another kind of token
  const key = createHmac('sha256', keys.refreshKey).update('mail links').digest()
  return lettersOf(createHmac('sha256', key).update(`stop:${hash}`).digest('hex').slice(0, SIGNATURE_LETTERS))
}
