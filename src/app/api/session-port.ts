import { createPort } from './port.ts'

/** What calls need to know of the session, which imports them. Before it has started, nobody is signed in. */
export const sessionPort = createPort<{
  /** the access token to send now; waits for a refresh that is due */
  token: () => Promise<string | undefined>
  /** the one that is stored, whatever it is worth: for calls that anyone may make, the refresh itself among them */
  storedToken: () => string | undefined
  userId: () => string | undefined
  /** after a 401 for `refused`: true when another token is there to try */
  renew: (refused: string) => Promise<boolean>
  subscribe: (listener: () => void) => () => void
}>()

/** Who reads: the signed-in user's id, known or verified. */
export const reader = {
  id: () => sessionPort.get()?.userId(),
  subscribe: (listener: () => void) => sessionPort.get()?.subscribe(listener) ?? (() => undefined),
}
