import { dateText } from '#contract/rules/dates.ts'
import type { Language } from '#contract/languages.ts'
import type { AccountMail, NewMail } from '../mailer/store.ts'
import { storedLanguage, wordsOf } from '../words/words.ts'
import type { User } from './store.ts'

/** Mails that tell the owner of an account what happened to it. Queued in the transaction in which it happens. */

type Owner = Pick<User, 'email' | 'emailNormal' | 'language'>

/** @param language by default the account's */
function notice(kind: AccountMail['kind'], owner: Owner, facts: NewMail['facts'], language = storedLanguage(owner.language)): NewMail {
  return { kind, to: owner.email, toNormal: owner.emailNormal, instanceId: null, language, facts }
}

/** A refresh token was used twice, so its session was ended (SESSION-14). */
export const sessionEndedMail = (owner: Owner) => notice('session-ended', owner, {})

/**
 * Anybody who reads the owner's mail can sign in as the owner, so the mail says how to end that session.
 * @param agent what the device calls itself; '' if unknown
 */
export function newDeviceMail(owner: Owner, agent: string, now: Date): NewMail {
  const language = storedLanguage(owner.language)
  const time = dateText(now, language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return notice('new-device', owner, { agent: agent || (wordsOf(language).mail['SomeDevice'] ?? ''), time })
}

/** @param until when it can be reopened */
export function accountClosedMail(owner: Owner, language: Language, until: Date): NewMail {
  const date = dateText(until, language, { dateStyle: 'long', timeZone: 'UTC' })
  return notice('account-closed', owner, { date }, language)
}
