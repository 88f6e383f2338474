import { expect, test, vi } from 'vitest'
import { storageGrant } from '#app/device/readiness/storage-grant.ts'
import { watchInstances } from '#app/device/store/device-store.ts'

/** A browser whose settings give pages no databases at all. DEVICE-1 */

test('without a database, reads and writes fail at once instead of waiting', async () => {
  const [next, error] = [vi.fn(), vi.fn()]
  const stop = watchInstances('u1', (stored) => stored, { next, error })
  await vi.waitFor(() => expect(error).toHaveBeenCalled())
  expect(next).not.toHaveBeenCalled()
  stop()
  vi.stubGlobal('isSecureContext', true)
  await expect(storageGrant()).rejects.toThrow()
})
