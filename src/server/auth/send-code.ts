import { EMAIL_OTP } from '#contract/auth.ts'
import type { Language } from '#contract/languages.ts'
import type { Deps } from '../deps.ts'
import type { Refuse } from '../http/handler.ts'
import { codeHmac, mailCode, makeCode } from './one-time-code.ts'
import { startChallenge, undoSending, type Challenge, type ChallengeStart } from './store.ts'

interface SendContext {
  deps: Deps
  language: Language
  refuse: Refuse<'TOO_MANY_REQUESTS' | 'MAIL_UNAVAILABLE'>
}

/**
 * Starts a challenge and mails its code; the reply that names the challenge.
 * @param ownerId of the account whose own code it is; undefined if that was closed or erased meanwhile
 */
export async function startWithCode({ deps, language, refuse }: SendContext, start: Omit<ChallengeStart, 'codeHmac'>, ownerId?: string) {
  const { db, env, keys, clock } = deps
  const code = makeCode(deps)
  const hashed = { ...start, codeHmac: codeHmac(keys.codePepper, start.id, code) }
  const started = await startChallenge(db, hashed, env.limits, clock.now(), ownerId)
  if (started.kind === 'closed') return undefined
  if (started.kind === 'wait') return refuse('TOO_MANY_REQUESTS', { retryAfter: started.seconds })
  if (started.kind === 'send' && !(await sendCode(deps, started.challenge, code, language))) {
    return refuse('MAIL_UNAVAILABLE', { retryAfter: 30 })
  }
  return { session: started.challenge.id, challengeName: EMAIL_OTP } as const
}

/**
 * Mails the code of a challenge; false: it was not sent. A mail that is not sent, possibly later, restores the challenge as it was
 * before (`before`, or none).
 */
export async function sendCode(deps: Deps, challenge: Challenge, code: string, language: Language, before?: Challenge): Promise<boolean> {
  const kind = challenge.purpose === 'sign-in' ? challenge.userType : challenge.purpose
  const undo = () => undoSending(deps.db, challenge, before ?? null)
  return mailCode(deps, { to: challenge.email, code, kind, language }, undo)
}
