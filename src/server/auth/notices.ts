import type { Deps } from '../deps.ts'
import { LANGUAGES } from '../http/handle.ts'
import { wordsOf } from '../http/words.ts'
import type { User } from './store.ts'

/** Texts of `locales/*\/mail.json`: `<notice>Subject` and `<notice>Text`. */
export type Notice = 'SessionEnded' | 'NewDevice'

/** Tells the owner of an account what happened to it. What happened stands, whether this mail leaves or not: it never rejects. */
export async function tellOwner({ mail, log }: Deps, user: User, notice: Notice, fill: Record<string, string> = {}): Promise<void> {
  const language = LANGUAGES.find((one) => one === user.language) ?? 'en'
  const words = wordsOf(language).mail
  const filled = (key: string) => (words[key] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => fill[name] ?? '')
  const text = `${filled(`${notice}Text`)}\n\n${filled('Signature')}\n`
  const sending = mail.send({ to: user.email, subject: filled(`${notice}Subject`), text, language })
  await sending.catch((error: unknown) => log.error({ err: error }, 'the owner of an account could not be told'))
}
