import { readCredentials } from '#app/session/read-credentials.ts'
import { session } from '#app/session/session.ts'
import { signsOut } from '#app/session/unfinished-sign-out.ts'
import { issuedAtOf, sessionIdOf } from '#app/session/user.ts'
import { noteSession } from './store/device-store.ts'
import { databaseLost, instanceStored } from './store/store-events.ts'

/**
 * Notes each session of the signed-in person in the database, again if that was deleted and has their work once more: an
 * earlier sign-out of theirs, which is held up, does not clear what they do now (store/last-session.ts). Called once, by start.ts.
 */
export function notePresentSessions(): void {
  let noted: string | undefined
  const presentId = () => sessionIdOf(readCredentials().accessToken)
  const note = () => {
    const { user } = session.get()
    const id = presentId()
    if (!user || id === undefined || id === noted) return
    noted = id
    const at = issuedAtOf(readCredentials().accessToken) ?? 0
    // a sign-out clears the rows first, and then the tokens
    noteSession(user.id, { id, at }, () => presentId() === id && !signsOut(user.id)).catch((error: unknown) => {
      noted = undefined
      console.warn('The session was not noted on this device', error)
    })
  }
  session.subscribe(note)
  databaseLost.subscribe(() => {
    noted = undefined
  })
  // only once there is a new one: a browser that is still deleting it may lose the request for it
  instanceStored.subscribe(note)
  note()
}
