import { beforeEach, expect, test, vi } from 'vitest'
import { PRIVATE_STORE_TIMEOUT_MS } from '#app/constants.ts'
import type { PrivateStore } from '#app/session/private-store.ts'
import { NOTHING_WAITS } from '#tests/support/nothing-waits.ts'

/** The port through which sign-out asks what is stored on this device (SESSION-17). It is provided after the first paint. */

let port: typeof import('#app/session/private-store.ts')

const store: PrivateStore = {
  countWaiting: async () => ({ ...NOTHING_WAITS, answers: 2 }),
  countInPages: async () => ({ answers: 0, marks: 0 }),
  sendNow: async () => undefined,
  clear: async () => true,
}

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  port = await import('#app/session/private-store.ts')
  return () => vi.useRealTimers()
})

test('a caller before it is provided waits for it', async () => {
  const waiting = port.privateStore()
  await vi.advanceTimersByTimeAsync(PRIVATE_STORE_TIMEOUT_MS - 1)
  port.privateStorePort.provide(store)
  expect(await (await waiting).countWaiting()).toMatchObject({ answers: 2 })
})

test('a caller times out, and a later one gets it once it is provided', async () => {
  const timedOut = expect(port.privateStore()).rejects.toThrow('was not loaded')
  await vi.advanceTimersByTimeAsync(PRIVATE_STORE_TIMEOUT_MS)
  await timedOut
  port.privateStorePort.provide(store)
  expect(await port.privateStore()).toBe(store)
})
