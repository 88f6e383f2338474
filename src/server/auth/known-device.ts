import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { normalEmail } from '#contract/rules/email.ts'

/**
 * A device that proved an e-mail before is counted apart, so that nobody can spend its owner's tries and mails
 * (LOGIN-18). Its secret is random, signed for that one e-mail, and stored nowhere here.
 */

/** For a device that has just proved this e-mail; the same again for one that was known already. */
export function deviceSecret({ keys, random }: Pick<Deps, 'keys' | 'random'>, email: string, known: string): string {
  const device = known === '' ? random.bytes(16).toString('base64url') : known
  return `${device}.${signature(keys, normalEmail(email), device)}`
}

/** Which of this e-mail's devices the secrets prove; '' for none. */
export function knownDevice({ keys }: Pick<Deps, 'keys'>, email: string, secrets: readonly string[]): string {
  const emailNormal = normalEmail(email)
  for (const secret of secrets) {
    const [, device, given] = /^([\w-]{22})\.([\w-]{43})$/.exec(secret) ?? []
    if (device === undefined || given === undefined) continue
    if (timingSafeEqual(Buffer.from(given), Buffer.from(signature(keys, emailNormal, device)))) return device
  }
  return ''
}

function signature(keys: Deps['keys'], emailNormal: string, device: string): string {
  return createHmac('sha256', keys.refreshKey).update(`device:${device}:${emailNormal}`).digest('base64url')
}
