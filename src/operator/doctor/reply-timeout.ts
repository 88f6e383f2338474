/** For one reply to a probe of the doctor. */
export const TIMEOUT_MS = 8_000
