import { createEvent } from '#app/api/events.ts'
import { readCredentials } from '#app/session/read-credentials.ts'
import { sessionIdOf, userOf } from '#app/session/user.ts'

/** What a person wants done with their unwritten answers, in any tab: send them now, or discard them. */
interface UnwrittenRequest {
  userId: string
  isDiscarded: boolean
  /** of a sign-out: the id of the session that it ends; what was answered in a later one stays */
  endsSession?: string | undefined
  /** epoch ms: what was answered later stays */
  until?: number
}

export const unwrittenRequested = createEvent<UnwrittenRequest>()

// heard as soon as there may be answers: a page that has just been opened would show what another tab discards
const channel = new BroadcastChannel('touchline-unwritten')
channel.addEventListener('message', ({ data }: MessageEvent<UnwrittenRequest>) => {
  if (!hasSignedInAgain(data)) unwrittenRequested.emit(data)
})

/** Sends a request to all tabs, this one included. */
export function requestUnwritten(request: UnwrittenRequest): void {
  unwrittenRequested.emit(request)
  channel.postMessage(request)
}

/** Whether the person has another session here than the one that they sign out of in the other tab, which was held up. */
export function hasSignedInAgain({ userId, endsSession }: Pick<UnwrittenRequest, 'userId' | 'endsSession'>): boolean {
  if (endsSession === undefined) return false
  const { accessToken, idToken } = readCredentials()
  const present = sessionIdOf(accessToken)
  return present !== undefined && present !== endsSession && userOf(idToken)?.id === userId
}
