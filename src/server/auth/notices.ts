import { fillIn, type Values } from '#contract/rules/fill-in.ts'
import type { Deps } from '../deps.ts'
import { storedLanguage, wordsOf } from '../words/words.ts'
import type { User } from './store.ts'

/** Keys of `locales/*\/mail.json`. */
const NOTICES = {
  'session-ended': { subject: 'SessionEndedSubject', text: 'SessionEndedText' },
  'new-device': { subject: 'NewDeviceSubject', text: 'NewDeviceText' },
  'account-closed': { subject: 'ClosedSubject', text: 'ClosedText' },
}
type Notice = keyof typeof NOTICES
type Owner = Pick<User, 'email' | 'language'>

/** Mails the owner of an account what happened to it. Never rejects: it happened, whether the mail is sent or not. */
export async function notifyOwner({ mail, log }: Deps, owner: Owner, notice: Notice, values: Values = {}): Promise<void> {
  const language = storedLanguage(owner.language)
  const words = wordsOf(language).mail
  const filled = (key: string) => fillIn(words[key] ?? '', values)
  const keys = NOTICES[notice]
  const text = `${filled(keys.text)}\n\n${filled('Signature')}\n`
  const sending = mail.send({ to: owner.email, subject: filled(keys.subject), text, language })
  await sending.catch((error: unknown) => log.error({ err: error, notice }, 'could not notify the owner of an account'))
}
