import { createPort } from './port.ts'

/** What calls need of the session, which cannot be imported here as it imports them. Empty until `startSession`: nobody is signed in. */
export const sessionPort = createPort<{
  /** the access token to send; waits for a refresh that is due, and rejects with `ApiError` while a failed refresh waits */
  token: () => Promise<string | undefined>
  /** the stored access token, even if expired: for calls that anyone may make, such as the refresh itself */
  storedToken: () => string | undefined
  /** who is signed in as this tab shows it */
  userId: () => string | undefined
  /** the user id of the stored tokens, which another tab may have changed */
  storedUserId: () => string | undefined
  /** whether this user signed out, here or in another tab, and was not signed out by the server */
  hasSignedOut: (userId: string) => boolean
  /** after a 401 for the token `refused`: whether there is another one to try */
  renew: (refused: string) => Promise<boolean>
  /** the server took a call with the token that was sent at this time, by `performance.now` */
  noteAccepted: (sentAt: number) => void
  subscribe: (listener: () => void) => () => void
}>()

/** The signed-in user's id, known or verified: cached reads belong to it. */
export const reader = {
  id: () => sessionPort.get()?.userId(),
  subscribe: (listener: () => void) => sessionPort.get()?.subscribe(listener) ?? (() => undefined),
}
