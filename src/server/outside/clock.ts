/** The time; a test passes its own clock. */
export interface Clock {
  now: () => Date
}

export const systemClock: Clock = { now: () => new Date() }
