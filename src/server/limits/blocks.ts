const KEYS_MAXIMUM = 10_000

/**
 * Points that are fetched many at a time and spent in this process, so that a limit on every call costs the database one
 * statement in many. What a process fetched and did not spend is lost to the key: the limit is never exceeded.
 */
export function spendInBlocks(size: number, fetch: (key: string) => Promise<boolean>): (key: string) => Promise<boolean> {
  /** points left */
  const held = new Map<string, number>()
  const fetching = new Map<string, Promise<void>>()
  const isOver = new Set<string>()

  async function fetchMore(key: string): Promise<void> {
    const isGiven = await fetch(key)
    if (isGiven) held.set(key, size)
    else isOver.add(key)
    for (const kept of [held, isOver]) {
      const [oldest] = kept.keys()
      if (oldest !== undefined && kept.size > KEYS_MAXIMUM) kept.delete(oldest)
    }
  }

  return async (key) => {
    for (;;) {
      if (isOver.has(key)) return false
      const left = held.get(key) ?? 0
      if (left > 0) {
        held.set(key, left - 1)
        return true
      }
      // calls that come together share what one of them fetches
      const underWay = fetching.get(key) ?? fetchMore(key).finally(() => fetching.delete(key))
      fetching.set(key, underWay)
      await underWay
    }
  }
}
