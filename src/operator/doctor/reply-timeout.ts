/** How long the doctor waits for one reply to a probe. */
export const TIMEOUT_MS = 8_000
