import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { LEFT_AT_LATEST_MS } from '#app/constants.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** A part of the app that cannot be loaded. INSTALL-3 */

const network = vi.hoisted(() => ({ isThere: true }))
vi.mock('#app/api/network.ts', () => ({
  // believed to be there until the next probe, as right after it has died
  network: { isReachable: () => true, probe: async () => network.isThere },
}))

const reload = vi.fn()
let page: EventTarget

beforeEach(async () => {
  vi.resetModules()
  const { reloadOnceForLostChunks } = await import('#app/shell/lost-chunks.ts')
  page = new EventTarget()
  reload.mockReset()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('sessionStorage', fakeStorage())
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('location', { reload })
  reloadOnceForLostChunks()
})
afterEach(() => vi.unstubAllGlobals())

const loseChunk = async () => {
  page.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  await new Promise(setImmediate)
}

test('the page reloads once, however many chunks are lost', async () => {
  network.isThere = true
  await Promise.all([loseChunk(), loseChunk()])
  await loseChunk()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('it does not reload while the server does not reply, but does later', async () => {
  network.isThere = false
  await loseChunk()
  expect(reload).not.toHaveBeenCalled()
  network.isThere = true
  await loseChunk()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('it does not reload while another page is being opened, only if that was called off', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  network.isThere = true
  page.dispatchEvent(new Event('beforeunload'))
  page.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  await vi.advanceTimersByTimeAsync(LEFT_AT_LATEST_MS - 1)
  expect(reload).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(reload).toHaveBeenCalledTimes(1)
})

const staying: [string, () => Event][] = [
  ['the app was used again after a link that opened something else', () => new Event('pushState')],
  ['it went back within the app', () => new Event('popstate')],
  ['the page came back from the cache', () => Object.assign(new Event('pageshow'), { persisted: true })],
]

test.each(staying)('it does not wait where %s', async (_, event) => {
  network.isThere = true
  page.dispatchEvent(new Event('beforeunload'))
  page.dispatchEvent(event())
  await loseChunk()
  expect(reload).toHaveBeenCalledTimes(1)
})

test.each(staying)('it waits no longer once %s', async (_, event) => {
  network.isThere = true
  page.dispatchEvent(new Event('beforeunload'))
  await loseChunk()
  expect(reload).not.toHaveBeenCalled()
  page.dispatchEvent(event())
  await new Promise(setImmediate)
  expect(reload).toHaveBeenCalledTimes(1)
})
