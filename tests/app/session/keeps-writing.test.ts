import { IDBDatabase, IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, test, vi } from 'vitest'
import { keepsWriting } from '#app/session/stored-copy.ts'
import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** Whether what is written offline stays on this device. SESSION-3 */

vi.mock('#app/ui/browser/memory-storage.ts', () => ({ isMemoryStorage: vi.fn<() => boolean>() }))

beforeEach(() => {
  vi.restoreAllMocks()
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('localStorage', fakeStorage())
})

const failWith = (name: string) => () => {
  throw new DOMException('not opened', name)
}

/** As a disk that is full when the database is made: the browser aborts that, and names no other reason. */
function abortMaking(): void {
  vi.spyOn(IDBDatabase.prototype, 'createObjectStore').mockImplementation(failWith('QuotaExceededError'))
}

const browsers: [string, () => void, boolean, boolean][] = [
  ['stores everything', () => undefined, true, true],
  ['has no databases', () => vi.stubGlobal('indexedDB', undefined), false, true],
  ['blocks databases', () => vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(failWith('SecurityError')), false, true],
  ['is full', () => vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(failWith('QuotaExceededError')), true, true],
  ['is full where the database was deleted', abortMaking, true, true],
  [
    'has the database of a later app',
    () => vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(failWith('VersionError')),
    true,
    true,
  ],
  ['blocks local storage alone', () => vi.mocked(isMemoryStorage).mockReturnValue(true), true, true],
  [
    'blocks all storage',
    () => {
      vi.mocked(isMemoryStorage).mockReturnValue(true)
      vi.stubGlobal('indexedDB', undefined)
    },
    false,
    false,
  ],
]

test.each(browsers)('a browser that %s', async (_, prepare, isForPlayer, isForGuest) => {
  prepare()
  expect([await keepsWriting(true), await keepsWriting(false)]).toEqual([isForPlayer, isForGuest])
})
