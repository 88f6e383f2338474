import type { Clock } from '../outside/clock.ts'

export type Limit = (key: string) => { retryAfter: number } | undefined

const KEYS_MAXIMUM = 100_000

/** So many in a window, per key; counted in this process. The answer says how many seconds to wait, if at all. */
export function countPer(seconds: number, maximum: number, clock: Clock): Limit {
  const windows = new Map<string, { end: number; count: number }>()
  return (key) => {
    const now = clock.now().getTime()
    const window = windows.get(key)
    if (!window || window.end <= now) {
      if (windows.size >= KEYS_MAXIMUM) for (const [old, { end }] of windows) if (end <= now) windows.delete(old)
      windows.set(key, { end: now + seconds * 1000, count: 1 })
      return undefined
    }
    if (window.count >= maximum) return { retryAfter: (window.end - now) / 1000 }
    window.count += 1
    return undefined
  }
}
