const KEYS_MAXIMUM = 10_000
/** The events of a key's first block: what a process fetches but does not use is lost, and one that keeps crashing must not use up a limit. */
const FIRST_PART = 8

/**
 * Counts in blocks of `size` events, so that a limit on every call costs the database one statement per block. The first `size` events of
 * a key are taken in smaller ones that grow. The rest of a block that a process has not used is lost to the key, so the limit is never exceeded.
 */
export function countInBlocks(size: number, take: (key: string, count: number) => Promise<boolean>): (key: string) => Promise<boolean> {
  const leftOf = new Map<string, number>()
  /** up to `size`: how many events this process took for a key */
  const takenFor = new Map<string, number>()
  const taking = new Map<string, Promise<void>>()
  const exhausted = new Set<string>()

  async function takeMore(key: string): Promise<void> {
    const before = takenFor.get(key) ?? 0
    const count = before < size ? Math.min(Math.max(before, Math.ceil(size / FIRST_PART)), size - before) : size
    if (await take(key, count)) {
      leftOf.set(key, count)
      takenFor.set(key, Math.min(size, before + count))
    } else exhausted.add(key)
    for (const keys of [leftOf, takenFor, exhausted]) {
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
