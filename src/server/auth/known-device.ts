import { createHmac } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { isSameSecret } from '../keys.ts'
import { normalEmail } from '#contract/rules/email.ts'

/**
 * A device that has signed in to an e-mail before has limits of its own, so that nobody else can use up its owner's attempts and
 * mails (LOGIN-18). Its secret is random, signed for that one e-mail, and not stored by the server.
 */

/** The secret of a device that has just signed in to this e-mail; a known device keeps its secret. */
export function deviceSecret({ keys, random }: Pick<Deps, 'keys' | 'random'>, email: string, known: string): string {
  const device = known === '' ? random.bytes(16).toString('base64url') : known
  return `${device}.${signature(keys, normalEmail(email), device)}`
}

/** The known device of this e-mail that one of the secrets proves; '' if none does. */
export function knownDevice({ keys }: Pick<Deps, 'keys'>, email: string, secrets: readonly string[]): string {
  const emailNormal = normalEmail(email)
  for (const secret of secrets) {
    const [, device, given] = /^([\w-]{22})\.([\w-]{43})$/.exec(secret) ?? []
    if (device === undefined || given === undefined) continue
    if (isSameSecret(given, signature(keys, emailNormal, device))) return device
  }
  return ''
}

function signature(keys: Deps['keys'], emailNormal: string, device: string): string {
  return createHmac('sha256', keys.refreshKey).update(`device:${device}:${emailNormal}`).digest('base64url')
}
