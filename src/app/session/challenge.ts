/** A sign-in under way: the challenge's session and the e-mail it went to (LOGIN-5). */
import { forget, keepForADay, readKept } from './expiring-storage.ts'

export interface SignInUnderWay {
  session: string
  email: string
  /** epoch ms: when the code was asked for */
  askedAt: number
}

// Names fixed by SESSION-3.
const sessionKey = 'authSession'
const emailKey = 'tempEmail'
const askedAtKey = 'authAskedAt'

/** Resolves when the code screen may show: whoever kills the browser there finds it again. */
export function keepChallenge(session: string, email: string): Promise<void> {
  void keepForADay(sessionKey, session)
  void keepForADay(emailKey, email)
  return keepForADay(askedAtKey, String(Date.now()))
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
