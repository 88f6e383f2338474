/** What calls need to know of the session, which fills this port at start: the session imports the api, never the other way. */
export interface BearerSource {
  /** the access token to send now; waits for a refresh that is due */
  token: () => Promise<string | undefined>
  /** the one that is stored, whatever it is worth: for calls that anyone may make, the refresh itself among them */
  stored: () => string | undefined
  userId: () => string | undefined
  /** after a 401 for `refused`: true when another token is there to try */
  renew: (refused: string) => Promise<boolean>
  subscribe: (listener: () => void) => () => void
}

let source: BearerSource = {
  token: () => Promise.resolve(undefined),
  stored: () => undefined,
  userId: () => undefined,
  renew: () => Promise.resolve(false),
  subscribe: () => () => undefined,
}

export function setBearerSource(given: BearerSource): void {
  source = given
}

export const bearer: BearerSource = {
  token: () => source.token(),
  stored: () => source.stored(),
  userId: () => source.userId(),
  renew: (refused) => source.renew(refused),
  subscribe: (listener) => source.subscribe(listener),
}
