import { vi } from 'vitest'

/**
 * `vi.waitFor` for a busy machine, on which its own second may pass before anything has run.
 * @param look throws, or returns false, while it is too early
 * @param timeout ms, less than the test's own, whose message would not say what it waited for
 */
export function waitFor<T>(look: () => T | Promise<T>, timeout = 20_000): Promise<T> {
  return vi.waitFor(
    async () => {
      const seen = await look()
      if (seen === false) throw new Error(`not yet: ${String(look)}`)
      return seen
    },
    { timeout },
  )
}
