/** A sign-in under way: the challenge's session and the e-mail it went to (LOGIN-5). */
import { hasElapsed } from '#app/device-clock.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { CODE_MINUTES } from '#contract/constants.ts'
import { removeStored, storeForADay, readUnexpired } from './expiring-storage.ts'
import { DRAFT_PREFIX } from './stored-copy.ts'

export interface SignInUnderWay {
  session: string
  email: string
  /** epoch ms when the code was requested */
  askedAt: number
  /** a code was sent to be verified, and its reply did not arrive: it may be used up */
  isTried: boolean
}

// Names fixed by SESSION-3.
const sessionKey = 'authSession'
const emailKey = 'tempEmail'
const askedAtKey = 'authAskedAt'
const triedKey = 'authTried'
const typedKey = `${DRAFT_PREFIX}email`
const codeKey = 'touchline.code'

/** Resolves when it is on the disk: a browser killed on the code screen opens that screen again. */
export async function storeChallenge(session: string, email: string): Promise<void> {
  removeStored(typedKey)
  removeStored(triedKey)
  void storeForADay(sessionKey, session)
  void storeForADay(emailKey, email)
  await storeForADay(askedAtKey, String(Date.now()))
}

export function readChallenge(): SignInUnderWay | undefined {
  const session = readUnexpired(sessionKey)
  const email = readUnexpired(emailKey)
  if (!session || !email) return undefined
  return { session, email, askedAt: Number(readUnexpired(askedAtKey) ?? Date.now()), isTried: readUnexpired(triedKey) !== undefined }
}

export function removeChallenge(): void {
  for (const key of [sessionKey, emailKey, askedAtKey, triedKey]) removeStored(key)
}

/** Resolves when it is on the disk: a browser killed before the reply knows that the code may be used up. */
export async function noteTried(): Promise<void> {
  try {
    await storeForADay(triedKey, '1')
  } catch (error) {
    console.warn('Could not store that a code was tried', error)
  }
}

/** The server has judged the code. */
export const clearTried = () => removeStored(triedKey)

/** An address that was typed, for which no code was requested yet. */
export const readTypedEmail = () => readUnexpired(typedKey)

export function storeTypedEmail(email: string): void {
  try {
    void storeForADay(typedKey, email)
  } catch {
    // storage is full or blocked: the screen works without it
  }
}

/** The digits that were typed in this tab for a code, and not sent: a page that is loaded anew has them again while the code is valid. */
export function readTypedCode({ session, askedAt, isTried }: SignInUnderWay): string {
  if (isTried || hasElapsed(askedAt, CODE_MINUTES * 60_000)) return ''
  const [owner, code = ''] = (sessionStorage.getItem(codeKey) ?? '').split(' ')
  return owner === session ? code : ''
}

export function storeTypedCode({ session }: SignInUnderWay, code: string): void {
  if (code === '') sessionStorage.removeItem(codeKey)
  else trySetItem(codeKey, `${session} ${code}`, sessionStorage)
}

/** "p•••••@club.example": its owner recognises it, others cannot read it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 1) return email
  return `${email.slice(0, 1)}${'•'.repeat(Math.min(Math.max(at - 1, 2), 6))}${email.slice(at)}`
}
