import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import * as z from 'zod/mini'

/** Keys for access tokens: private P-256 JWKs, newest first. The first signs, all verify. */

export const signingJwks = z
  .array(z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string(), d: z.string() }))
  .check(z.minLength(1))
type Jwk = z.output<typeof signingJwks>[number]

export interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
}

/** The keys of TOKEN_SIGNING_KEYS. @throws if the text is invalid */
export function parseSigningKeys(text: string): SigningKey[] {
  return signingJwks.parse(JSON.parse(text)).map(signingKey)
}

/** What is wrong with TOKEN_SIGNING_KEYS. */
export function signingKeysProblem(text: string): string | undefined {
  try {
    parseSigningKeys(text)
    return undefined
  } catch {
    return 'TOKEN_SIGNING_KEYS must be a JSON list of private P-256 JWKs, newest first'
  }
}

export function signingKey(jwk: Jwk): SigningKey {
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const kid = createHash('sha256').update(`${jwk.x}.${jwk.y}`).digest('base64url').slice(0, 16)
  return { kid, privateKey, publicKey: createPublicKey(privateKey) }
}
