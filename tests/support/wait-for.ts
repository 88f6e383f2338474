import { vi } from 'vitest'

/** `vi.waitFor` for a busy machine, on which its own second may pass before anything has run. */
export function waitFor<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 10_000 })
}
