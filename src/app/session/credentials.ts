/** Writes the four keys of local storage (read-credentials.ts), and tells when they changed. SESSION-3 */
import { createEvent } from '#app/api/events.ts'
import { serverNow } from '#app/api/server-clock.ts'
import type { Credentials } from '#contract/auth.ts'
import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'
import { clearLocalStorage } from './clear-local-storage.ts'
import { readCredentials, tokens } from './read-credentials.ts'
import { sessionIdOf } from './user.ts'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

const changed = createEvent()

/** Calls the listener when the credentials changed, here or in another tab. */
export const onCredentialsChanged = changed.subscribe
export const emitCredentialsChanged = changed.emit

/** Stores the credentials of a reply and tells the app; tokens missing from it are removed. Throws if the storage is full. SESSION-1, SESSION-4 */
export function storeCredentials(given: Partial<Credentials>, storage: Storage = localStorage): void {
  writeCredentials(given, storage)
  emitCredentialsChanged()
}

/** Stores the credentials without telling the app. If the storage is full it throws and restores the former values, as half a sign-in could not be used. */
export function writeCredentials(given: Partial<Credentials>, storage: Storage = localStorage): void {
  const before = (['expiresAt', ...tokens] as const).map((name) => [name, storage.getItem(name)] as const)
  try {
    // Written first: another tab that reads between two writes must not take the new tokens for expired.
    put(storage, 'expiresAt', given.expiresIn === undefined ? undefined : String(serverNow() + given.expiresIn * 1000))
    for (const name of tokens) put(storage, name, given[name])
  } catch (error) {
    const changed = before.filter(([name, value]) => storage.getItem(name) !== value)
    // removed first, to make room for the longer values
    for (const [name] of changed) storage.removeItem(name)
    for (const [name, value] of changed) put(storage, name, value)
    throw error
  }
}

function put(storage: Storage, name: string, value: string | null | undefined): void {
  if (value) storage.setItem(name, value)
  else storage.removeItem(name)
}

/** Set if each tab has its local storage in memory, of which the browser sends the other tabs no events. */
let otherTabs: BroadcastChannel | undefined

/** @param sessionId of the session that has ended; undefined if it is not known */
export function emitSignedOut(sessionId: string | undefined): void {
  otherTabs?.postMessage(sessionId)
}

/** Listens to other tabs' changes of the credentials; a cleared storage means that one of them signed out. Called once. */
export function watchOtherTabs(onSignedOut: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === null) onSignedOut()
    if (key === null || key === 'expiresAt' || tokens.some((name) => name === key)) changed.emit()
  })
  if (!isMemoryStorage(localStorage)) return
  otherTabs = new BroadcastChannel('touchline-signed-out')
  otherTabs.addEventListener('message', ({ data }: MessageEvent<string | undefined>) => {
    // somebody has signed in here since
    if (data !== undefined && data !== sessionIdOf(readCredentials().accessToken)) return
    clearLocalStorage()
    onSignedOut()
    changed.emit()
  })
}
