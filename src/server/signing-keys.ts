import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import * as z from 'zod/mini'

/** Keys for access tokens: private P-256 JWKs, newest first. The first signs, all verify. */

export const signingJwks = z
  .array(
    z.object({
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      x: z.string(),
      y: z.string(),
      d: z.string(),
      /** made by `touchline keys --prepare` and not promoted yet */
      next: z.optional(z.literal(true)),
    }),
  )
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
    const place = signingJwks.parse(JSON.parse(text)).findIndex((jwk) => !isWhole(jwk))
    return place < 0
      ? undefined
      : `TOKEN_SIGNING_KEYS has a key (number ${place + 1}) whose d does not belong to its x and y: copy it again`
  } catch {
    return 'TOKEN_SIGNING_KEYS must be a JSON list of private P-256 JWKs, newest first'
  }
}

/** Node takes a key of two mixed ones, and fails to sign with it. */
function isWhole({ x, y, d }: Jwk): boolean {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d, 'base64url')
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return pair.getPublicKey().equals(point)
}

export function signingKey(jwk: Jwk): SigningKey {
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const kid = createHash('sha256').update(`${jwk.x}.${jwk.y}`).digest('base64url').slice(0, 16)
  return { kid, privateKey, publicKey: createPublicKey(privateKey) }
}
