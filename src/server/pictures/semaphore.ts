/** Runs a step once a slot is free; resolves to undefined if too many are already waiting, or none is free for that long. */
type Semaphore = <T>(waitMs: number, step: () => Promise<T>) => Promise<T | undefined>

/** Limits how many steps run at once, and with them the memory they use. */
export function createSemaphore(count: number, waitingMaximum: number): Semaphore {
  const waiting = new Set<() => void>()
  let running = 0

  /** Resolves to whether it got a slot. */
  function slot(waitMs: number): Promise<boolean> {
    if (running < count) {
      running += 1
      return Promise.resolve(true)
    }
    if (waiting.size >= waitingMaximum) return Promise.resolve(false)
    return new Promise((resolve) => {
      const begin = () => end(true)
      const timer = setTimeout(() => end(false), waitMs)
      const end = (hasSlot: boolean) => {
        clearTimeout(timer)
        waiting.delete(begin)
        resolve(hasSlot)
      }
      waiting.add(begin)
    })
  }

  return async (waitMs, step) => {
    if (!(await slot(waitMs))) return undefined
    try {
      return await step()
    } finally {
      // the step that finishes passes its slot on
      const [next] = waiting
      if (next) next()
      else running -= 1
    }
  }
}
