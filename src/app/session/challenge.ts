/** A sign-in under way: the challenge's session and the e-mail it went to (§3, §4 Sign-in). */
import { forget, keepForADay, readKept } from './kept-for-a-day.ts'

export interface SignInUnderWay {
  session: string
  email: string
  /** epoch ms: when the code was asked for */
  askedAt: number
}

// Names of §3.
const sessionKey = 'authSession'
const emailKey = 'tempEmail'
const askedAtKey = 'authAskedAt'

export function keepChallenge(session: string, email: string): void {
  keepForADay(sessionKey, session)
  keepForADay(emailKey, email)
  keepForADay(askedAtKey, String(Date.now()))
}

export function readChallenge(): SignInUnderWay | undefined {
  const session = readKept(sessionKey)
  const email = readKept(emailKey)
  if (!session || !email) return undefined
  return { session, email, askedAt: Number(readKept(askedAtKey) ?? Date.now()) }
}

export function forgetChallenge(): void {
  for (const key of [sessionKey, emailKey, askedAtKey]) forget(key)
}

/** "p•••••@club.example": enough to recognise, too little to read over a shoulder. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 1) return email
  return `${email.slice(0, 1)}${'•'.repeat(Math.min(Math.max(at - 1, 2), 6))}${email.slice(at)}`
}
