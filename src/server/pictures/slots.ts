/** Runs a step when its turn comes; undefined when too many wait already. */
export type Slots = <T>(step: () => Promise<T>) => Promise<T | undefined>

/** So many at once, so many more waiting: what one of them takes of memory is what all of them may. */
export function createSlots(atOnce: number, waitingMaximum: number): Slots {
  const waiting: (() => void)[] = []
  let running = 0
  return async (step) => {
    if (running < atOnce) running += 1
    else {
      if (waiting.length >= waitingMaximum) return undefined
      // whoever leaves hands its place on
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await step()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
