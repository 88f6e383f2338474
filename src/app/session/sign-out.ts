import { call } from '#app/api/call.ts'
import { settleReads } from '#app/api/reads.ts'
import { LANGUAGE_KEY } from '#app/i18n/i18n.ts'
import { auth } from '#contract/auth.ts'
import { clearCredentials } from './credentials.ts'
import { DEVICE_ID_KEY, DEVICES_KEY } from './known-devices.ts'
import { noteSignedOut } from './session.ts'
import { privateStore } from './private-store.ts'

const patienceMs = 5000

/**
 * Ends the session (§4 Logout, ruling 6): tokens, local storage and every private thing go even if the call fails;
 * the language choice and what makes the device known stay, and so do unsent answers if told so, locked to their owner.
 */
export async function signOut({ userId, keepUnsent }: { userId?: string; keepUnsent: boolean }): Promise<void> {
  // First, while there is a bearer to end.
  await call(auth.logout, undefined, { timeoutMs: patienceMs }).catch((error: unknown) => console.warn('Sign-out was not heard', error))
  await privateStore()
    .then((store) => store.clear({ userId, keepUnsent }))
    .catch((error: unknown) => console.error('Not everything could be cleared', error))
  noteSignedOut()
  await settleReads(undefined)
  const kept = [LANGUAGE_KEY, DEVICES_KEY, DEVICE_ID_KEY].map((key) => [key, localStorage.getItem(key)] as const)
  localStorage.clear()
  sessionStorage.clear()
  for (const [key, value] of kept) if (value) localStorage.setItem(key, value)
  // Tells this tab; the others hear of it by their storage events.
  clearCredentials()
}
