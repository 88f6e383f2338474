import { afterEach, expect, test, vi } from 'vitest'
import { unwrittenInTabs } from '#app/device/sending/unwritten-in-tabs.ts'
import { withTabLock } from '#app/session/tab-lock.ts'

afterEach(() => vi.unstubAllGlobals())

const refuse = () => Promise.reject(new DOMException('blocked', 'SecurityError'))

test('if the browser blocks locks, the work runs once without a lock', async () => {
  vi.stubGlobal('navigator', { locks: { request: refuse, query: refuse } })
  const run = vi.fn(async () => 'sent')
  expect(await withTabLock('a', 1000, run)).toBe('sent')
  expect(run).toHaveBeenCalledTimes(1)
  await expect(withTabLock('a', 1000, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own')
  // each tab knows only its own answers
  expect(await unwrittenInTabs('u1')).toEqual(new Map())
})

test('work that fails within a lock is not retried without it', async () => {
  const run = vi.fn(() => Promise.reject(new Error('its own')))
  await expect(withTabLock('b', 1000, run)).rejects.toThrow('its own')
  expect(run).toHaveBeenCalledTimes(1)
})
