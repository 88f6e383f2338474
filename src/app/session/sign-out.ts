import { call } from '#app/api/call.ts'
import { settleReads } from '#app/api/query-port.ts'
import { LANGUAGE_KEY } from '#app/i18n/preferred-language.ts'
import { remember } from '#app/remember.ts'
import { auth } from '#contract/auth.ts'
import { clearCredentials } from './credentials.ts'
import { DEVICE_ID_KEY, DEVICES_KEY } from './known-devices.ts'
import { notePendingClearing, PENDING_CLEARING_KEY } from './pending-clearing.ts'
import { privateStore } from './private-store.ts'
import { noteSignedOut, session } from './session.ts'
import { copySession } from './stored-copy.ts'

const TIMEOUT_MS = 5000

/**
 * Ends the session (SESSION-16): tokens, local storage and every private thing go even if the call fails;
 * the language choice and what makes the device known stay, and so does what was not sent if told so, locked to its owner.
 * Resolves to whether all of it could be cleared: what could not is tried again at the next start.
 */
export async function signOut({ userId, keepUnsent }: { userId?: string; keepUnsent: boolean }): Promise<boolean> {
  // First, while there is a token to revoke.
  await call(auth.logout, undefined, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) =>
    console.warn('The server was not told of the sign-out', error),
  )
  const owner = userId ?? session.get().user?.id
  const isCleared = await privateStore()
    .then((store) => store.clear({ userId: owner, keepUnsent }))
    .then(
      () => true,
      (error: unknown) => {
        console.error('Not everything could be cleared', error)
        return false
      },
    )
  noteSignedOut()
  await settleReads(undefined)
  const staying = [LANGUAGE_KEY, DEVICES_KEY, DEVICE_ID_KEY, PENDING_CLEARING_KEY].map((key) => [key, localStorage.getItem(key)] as const)
  localStorage.clear()
  sessionStorage.clear()
  for (const [key, value] of staying) if (value) remember(key, value)
  if (!isCleared && owner !== undefined) notePendingClearing({ userId: owner, keepUnsent })
  // the copy as well: a killed browser must not restore what was just removed
  await copySession()
  // Tells this tab; the others hear of it by their storage events.
  clearCredentials()
  return isCleared
}
