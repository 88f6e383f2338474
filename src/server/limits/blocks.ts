const KEYS_MAXIMUM = 10_000

/**
 * Counts in blocks of `size` events, so that a limit on every call costs the database one statement per block. The rest of a block
 * that a process has not used is lost to the key, so the limit is never exceeded.
 */
export function countInBlocks(size: number, take: (key: string) => Promise<boolean>): (key: string) => Promise<boolean> {
  const leftOf = new Map<string, number>()
  const taking = new Map<string, Promise<void>>()
  const exhausted = new Set<string>()

  async function takeMore(key: string): Promise<void> {
    const isGranted = await take(key)
    if (isGranted) leftOf.set(key, size)
    else exhausted.add(key)
    for (const keys of [leftOf, exhausted]) {
      const [oldest] = keys.keys()
      if (oldest !== undefined && keys.size > KEYS_MAXIMUM) keys.delete(oldest)
    }
  }

  return async (key) => {
    for (;;) {
      if (exhausted.has(key)) return false
      const left = leftOf.get(key) ?? 0
      if (left > 0) {
        leftOf.set(key, left - 1)
        return true
      }
      // concurrent calls share one block
      const taken = taking.get(key) ?? takeMore(key).finally(() => taking.delete(key))
      taking.set(key, taken)
      await taken
    }
  }
}
