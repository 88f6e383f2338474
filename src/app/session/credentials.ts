/** Writes the four keys of local storage (read-credentials.ts), and tells when they changed. SESSION-3 */
import { createEvent } from '#app/api/events.ts'
import { serverNow } from '#app/api/server-clock.ts'
import type { Credentials } from '#contract/auth.ts'
import { tokens } from './read-credentials.ts'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

const changed = createEvent()

/** Tells when they changed, here or in another tab. */
export const onCredentialsChanged = changed.subscribe
export const tellCredentialsChanged = changed.emit

/** Stores the credentials of a reply and tells the app; a missing token has its stored value removed. SESSION-1, SESSION-4 */
export function storeCredentials(given: Partial<Credentials>, storage: Storage = localStorage): void {
  writeCredentials(given, storage)
  tellCredentialsChanged()
}

/** The same without telling. */
export function writeCredentials(given: Partial<Credentials>, storage: Storage = localStorage): void {
  // First, for another tab that reads between two writes must not find new tokens to be spent already.
  put(storage, 'expiresAt', given.expiresIn === undefined ? undefined : String(serverNow() + given.expiresIn * 1000))
  for (const name of tokens) put(storage, name, given[name])
}

export function clearCredentials(storage: Storage = localStorage): void {
  storeCredentials({}, storage)
}

function put(storage: Storage, name: string, value: string | undefined): void {
  if (value) storage.setItem(name, value)
  else storage.removeItem(name)
}

/** Hears what other tabs do to them; a whole storage cleared is a sign-out there. Called once, by the session's start. */
export function watchOtherTabs(onSignedOut: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === null) onSignedOut()
    if (key === null || key === 'expiresAt' || tokens.some((name) => name === key)) changed.emit()
  })
}
