import { hkdfSync } from 'node:crypto'
import { isSameSecret, type Keys } from '../keys.ts'

/**
 * The proof that a device was signed in to an account: it comes with every id token and opens nothing. It needs no row to be checked,
 * so it still says whose it is once the account is erased. docs/decisions/0059-a-device-learns-of-an-erasure.md
 */

const BYTES = 32

function macOf(keys: Keys, userId: string): string {
  return Buffer.from(hkdfSync('sha256', keys.refreshKey, '', JSON.stringify(['account', userId]), BYTES)).toString('base64url')
}

/** Makes the proof of an account. It is given to whoever has just signed in or refreshed their session. */
export function accountProof(keys: Keys, userId: string): string {
  return `${userId}.${macOf(keys, userId)}`
}

/** The id of the account that it proves; undefined if we did not make it. */
export function accountOfProof(keys: Keys, proof: string): string | undefined {
  const [, userId, mac] = /^([\da-f-]{36})\.([\w-]{43})$/.exec(proof) ?? []
  if (userId === undefined || mac === undefined) return undefined
  return isSameSecret(mac, macOf(keys, userId)) ? userId : undefined
}
