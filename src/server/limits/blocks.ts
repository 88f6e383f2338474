const KEYS_MAXIMUM = 10_000

/**
 * Fetches points in blocks and spends them in this process, so that a limit on every call costs the database one statement per
 * block. Points that a process fetched and did not spend are lost to the key, so the limit is never exceeded.
 */
export function spendInBlocks(size: number, fetch: (key: string) => Promise<boolean>): (key: string) => Promise<boolean> {
  const pointsLeft = new Map<string, number>()
  const fetching = new Map<string, Promise<void>>()
  const exhausted = new Set<string>()

  async function fetchMore(key: string): Promise<void> {
    const isGranted = await fetch(key)
    if (isGranted) pointsLeft.set(key, size)
    else exhausted.add(key)
    for (const keys of [pointsLeft, exhausted]) {
      const [oldest] = keys.keys()
      if (oldest !== undefined && keys.size > KEYS_MAXIMUM) keys.delete(oldest)
    }
  }

  return async (key) => {
    for (;;) {
      if (exhausted.has(key)) return false
      const left = pointsLeft.get(key) ?? 0
      if (left > 0) {
        pointsLeft.set(key, left - 1)
        return true
      }
      // concurrent calls share one fetch
      const fetched = fetching.get(key) ?? fetchMore(key).finally(() => fetching.delete(key))
      fetching.set(key, fetched)
      await fetched
    }
  }
}
