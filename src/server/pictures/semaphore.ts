/** Runs a step once a slot is free; resolves to undefined if too many are already waiting. */
type Semaphore = <T>(step: () => Promise<T>) => Promise<T | undefined>

/** Limits how many steps run at once, and with them the memory they use. */
export function createSemaphore(count: number, waitingMaximum: number): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0
  return async (step) => {
    if (running < count) running += 1
    else {
      if (waiting.length >= waitingMaximum) return undefined
      // the step that finishes passes its slot on
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
