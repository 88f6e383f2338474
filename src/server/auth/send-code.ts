import type { Deps } from '../deps.ts'
import type { Language } from '#contract/languages.ts'
import { mailCode } from './one-time-code.ts'
import { undoSending, type Challenge } from './store.ts'

/**
 * Mails the code of a challenge; false: it was not sent. A mail that is not sent, possibly later, restores the challenge as it was
 * before (`before`, or none).
 */
export async function sendCode(deps: Deps, challenge: Challenge, code: string, language: Language, before?: Challenge): Promise<boolean> {
  const kind = challenge.purpose === 'sign-in' ? challenge.userType : challenge.purpose
  const undo = () => undoSending(deps.db, challenge, before ?? null)
  return mailCode(deps, { to: challenge.email, code, kind, language }, undo)
}
