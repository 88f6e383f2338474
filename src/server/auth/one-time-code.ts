import { createHmac } from 'node:crypto'
import { CODE_MINUTES, ONE_TIME_CODE_LENGTH } from '#contract/constants.ts'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import type { Deps } from '../deps.ts'
import { isSameSecret } from '../keys.ts'
import type { Language } from '#contract/languages.ts'
import { fillIn } from '#contract/rules/fill-in.ts'
import { wordsOf } from '../words/words.ts'

/** Guesses per code. LOGIN-13 */
export const TRIES_PER_CODE = 5
/** Wrong guesses a day, per e-mail and source: after the first number the waits grow, after the second no guess is accepted. SECURITY-4 */
const FREE_WRONG_GUESSES = 20
export const WRONG_GUESSES_PER_DAY = 100
const WAIT_SECONDS_MAXIMUM = 900

/** Digits without modulo bias. */
export function makeCode({ random }: Pick<Deps, 'random'>): string {
  return String(random.below(10 ** ONE_TIME_CODE_LENGTH)).padStart(ONE_TIME_CODE_LENGTH, '0')
}

/** What is stored of a code: useless without the pepper, or for another challenge (SECURITY-3). */
export function codeHmac(pepper: string, challengeId: string, code: string): string {
  return createHmac('sha256', pepper).update(`${challengeId}:${code}`).digest('base64url')
}

export function isCodeRight(pepper: string, challenge: { id: string; codeHmac: string }, code: string): boolean {
  return isSameSecret(codeHmac(pepper, challenge.id, code), challenge.codeHmac)
}

/** Seconds to wait before the next guess, by the number of wrong ones that day: 2^(n-20), 15 minutes at most. */
export function waitAfter(wrong: number): number {
  return wrong < FREE_WRONG_GUESSES ? 0 : Math.min(WAIT_SECONDS_MAXIMUM, 2 ** (wrong - FREE_WRONG_GUESSES))
}

/** What a code is for: signing in as a player or as a coach, or closing the account. */
type CodeKind = UserTypeCode | 'close-account'

/** Keys of `locales/*\/mail.json`. */
const TEXTS: Record<CodeKind, { subject: string; parts: string[] }> = {
  player: { subject: 'CodeSubject', parts: ['CodeGreeting', 'CodeLine', 'CodeLife', 'CodeNotAsked', 'Signature'] },
  coach: { subject: 'CodeSubject', parts: ['CodeGreetingCoach', 'CodeLine', 'CodeLife', 'CodeNotAsked', 'Signature'] },
  'close-account': {
    subject: 'CloseCodeSubject',
    parts: ['CloseCodeGreeting', 'CodeLine', 'CodeLife', 'CloseCodeNotAsked', 'Signature'],
  },
}

/**
 * Sends a code. false: the mail server did not accept it. `undo` is called for a code that is never sent, possibly later
 * (mailer/code-mails.ts). The code is the only run of 8 digits in the text (MAIL-1).
 */
export async function mailCode(
  deps: Deps,
  mail: { to: string; code: string; kind: CodeKind; language: Language },
  undo: () => Promise<void>,
): Promise<boolean> {
  const { to, code, kind, language } = mail
  const words = wordsOf(language).mail
  const filled = (key: string) => fillIn(words[key] ?? '', { code, minutes: CODE_MINUTES })
  const { subject, parts } = TEXTS[kind]
  const text = parts.map(filled).join('\n\n')
  return deps.codeMails.send({ to, subject: filled(subject), text: `${text}\n`, language }, undo)
}
