/** A sign-in under way: the challenge's session and the e-mail it went to (LOGIN-5). */
import { removeStored, storeForADay, readUnexpired } from './expiring-storage.ts'

interface SignInUnderWay {
  session: string
  email: string
  /** epoch ms when the code was requested */
  askedAt: number
}

// Names fixed by SESSION-3.
const sessionKey = 'authSession'
const emailKey = 'tempEmail'
const askedAtKey = 'authAskedAt'

/** Resolves when it is on the disk: a browser killed on the code screen opens that screen again. */
export function storeChallenge(session: string, email: string): Promise<void> {
  void storeForADay(sessionKey, session)
  void storeForADay(emailKey, email)
  return storeForADay(askedAtKey, String(Date.now()))
}

export function readChallenge(): SignInUnderWay | undefined {
  const session = readUnexpired(sessionKey)
  const email = readUnexpired(emailKey)
  if (!session || !email) return undefined
  return { session, email, askedAt: Number(readUnexpired(askedAtKey) ?? Date.now()) }
}

export function removeChallenge(): void {
  for (const key of [sessionKey, emailKey, askedAtKey]) removeStored(key)
}

/** "p•••••@club.example": its owner recognises it, others cannot read it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 1) return email
  return `${email.slice(0, 1)}${'•'.repeat(Math.min(Math.max(at - 1, 2), 6))}${email.slice(at)}`
}
