import * as z from 'zod/mini'
import { cleanEmail, EMAIL_LENGTH_MAXIMUM, isEmail } from './email.ts'

/**
 * Rules of single fields, shared by the forms and the server (INPUT-23, PROFILE-6). Messages are keys of `locales/*\/fields.json`, so that the
 * contract is independent of language.
 */

// control characters, lone surrogates, line separators and direction overrides (INPUT-23)
const FORBIDDEN_IN_TEXT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u
// U+2800 is Braille without a dot
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
export const TEXT_LENGTH_MAXIMUM = 100

/** Text that must not be empty; `required` is the key of the message if it is. */
export function requiredText(required: string) {
  return z
    .string({ error: required })
    .check(
      z.trim(),
      z.minLength(1, { error: required }),
      z.maxLength(TEXT_LENGTH_MAXIMUM, { error: 'NameInvalid' }),
      plainText(),
      visibleText(),
    )
}

function plainText() {
  return z.refine<string>(isPlainText, { error: 'NameInvalid' })
}

function visibleText() {
  return z.refine<string>((text) => text === '' || VISIBLE.test(text), { error: 'NameInvalid' })
}

export function isPlainText(text: string): boolean {
  return !FORBIDDEN_IN_TEXT.test(text)
}

/** One address, trimmed. */
export function email(invalid = 'EmailInvalid') {
  return z.string({ error: invalid }).check(z.trim(), ...oneAddress(invalid))
}

/** The same for a form: text that was pasted with the address is removed first. */
export function typedEmail(invalid = 'EmailInvalid') {
  return z.string({ error: invalid }).check(z.overwrite(cleanEmail), ...oneAddress(invalid))
}

function oneAddress(invalid: string) {
  return [z.maxLength(EMAIL_LENGTH_MAXIMUM, { error: invalid }), z.refine<string>(isEmail, { error: invalid })] as const
}
