import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { EarlyStart, PartsOutcome } from '#app/early-start.ts'
import { FAILED_READ_WAITS, LEAVE_TIMEOUT_MS, PART_SLOW_MS, RELOAD_AGAIN_MS, RELOADED_FOR_KEY, RELOADED_KEY } from '#app/constants.ts'
import { nextTask } from '#app/ui/browser/after-paint.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** A part of the app that cannot be loaded. INSTALL-3 */

const HOUR_MS = 3_600_000

const network = vi.hoisted(() => ({ isThere: true, whileProbing: () => {} }))
vi.mock('#app/api/network.ts', () => ({
  onReachable: () => () => undefined,
  network: {
    // believed to be there until the next probe, as right after it has died
    isReachable: () => true,
    probe: async () => {
      network.whileProbing()
      return network.isThere
    },
  },
}))

const reload = vi.fn()
/** the page's elements: whether one of them is a dialog, and one that is a text field and an option of a form's list */
const elements = { querySelector: (): object | null => null }
class FormPart extends EventTarget {
  matches = () => true
  closest = (selector: string) => (selector.startsWith('form ') ? this : null)
}
/** also the target of what is dispatched at it */
let page: EventTarget

async function open(sessionStorage: object | null, type = 'navigate', localStorage: object | null = fakeStorage()) {
  vi.resetModules()
  network.whileProbing = () => {}
  page = new FormPart()
  reload.mockReset()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as unknown as PerformanceEntry])
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('sessionStorage', sessionStorage)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('location', { reload, pathname: '/about' })
  vi.stubGlobal('document', elements)
  vi.stubGlobal('Element', FormPart)
  await import('#app/ui/browser/blocked-storages.ts')
  const { reloadOnceForLostParts } = await import('#app/shell/reload-for-lost-parts.ts')
  reloadOnceForLostParts()
}

beforeEach(() => open(fakeStorage()))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const losePart = async () => {
  page.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  await nextTask()
}

test('the page reloads once, however many parts are lost', async () => {
  network.isThere = true
  await Promise.all([losePart(), losePart()])
  await losePart()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('where local storage is blocked, it reloads while a database keeps the session', async () => {
  await open(fakeStorage(), 'navigate', null)
  await losePart()
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

test('where nothing keeps the session, it does not reload, which would sign out', async () => {
  await open(fakeStorage(), 'navigate', null)
  vi.stubGlobal('indexedDB', undefined)
  const { orLost } = await import('#app/lost-part.ts')
  await losePart()
  await expect(orLost(Promise.resolve(undefined))).rejects.toThrow('could not be fetched')
  expect(reload).not.toHaveBeenCalled()
})

/** As the bundler's import of a lost part does it. */
const importLost = async () => {
  const event = new Event('vite:preloadError', { cancelable: true })
  await Promise.resolve()
  page.dispatchEvent(event)
  if (!event.defaultPrevented) throw new Error('not fetched')
}

test('it reloads for a screen that is lost while a module is loaded with retries', async () => {
  network.isThere = true
  const { loadWithRetry } = await import('#app/shell/reload-for-lost-parts.ts')
  let finish: (loaded: string) => void = () => {}
  const slow = loadWithRetry(() => new Promise<string>((resolve) => (finish = resolve)))
  await losePart()
  expect(reload).toHaveBeenCalledTimes(1)
  finish('the module')
  expect(await slow).toBe('the module')
})

test('it does not reload for a module that is loaded with retries, unless a screen was lost with it', async () => {
  network.isThere = true
  const { loadWithRetry } = await import('#app/shell/reload-for-lost-parts.ts')
  void loadWithRetry(importLost)
  await nextTask()
  expect(reload).not.toHaveBeenCalled()
  void loadWithRetry(importLost)
  void importLost()
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

test('it reloads for a screen that is lost while a module fails for another reason', async () => {
  network.isThere = true
  const { loadWithRetry } = await import('#app/shell/reload-for-lost-parts.ts')
  const losing = losePart()
  void loadWithRetry(() => Promise.reject(new Error('the worker is not registered')))
  await losing
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

test('it does not reload while answers are in this page alone, but does later', async () => {
  network.isThere = true
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const { setUnwritten } = await import('#app/device/sending/unwritten.ts')
  const { orLost } = await import('#app/lost-part.ts')
  const key = { userId: 'u1', instanceId: 'i1' }
  setUnwritten(key, ['q1'])
  await expect(importLost()).rejects.toThrow('not fetched')
  setUnwritten(key, [])
  // the disk refuses one while it is found out whether the server replies
  network.whileProbing = () => setUnwritten(key, ['q1'])
  await losePart()
  await expect(orLost(Promise.resolve(undefined))).rejects.toThrow('could not be fetched')
  expect(reload).not.toHaveBeenCalled()
  network.whileProbing = () => {}
  setUnwritten(key, [])
  await losePart()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a lost part is reported where the reload is stopped', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  network.isThere = true
  const { orLost } = await import('#app/lost-part.ts')
  const outcome = vi.fn()
  page.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  orLost(Promise.resolve(undefined)).catch(outcome)
  await vi.advanceTimersByTimeAsync(LEAVE_TIMEOUT_MS - 1)
  expect([reload.mock.calls.length, outcome.mock.calls.length]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(1)
  expect([reload.mock.calls.length, outcome.mock.calls.length]).toEqual([1, 1])
})

/** What the script in the page finds of the app's files, one outcome after the other. */
function findParts(...outcomes: PartsOutcome[]) {
  const fetchParts = vi.fn(async () => outcomes.shift() ?? 'here')
  vi.stubGlobal('earlyStart', { replies: {}, fetchParts } satisfies EarlyStart)
  return fetchParts
}

test('a part that the connection does not bring is reported at once, and the page reloads once it is here', async () => {
  findParts('missing', 'missing', 'here')
  await open(fakeStorage())
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { reloadOnceFetched } = await import('#app/shell/reload-for-lost-parts.ts')
  const { orLost, PartNotFetched } = await import('#app/lost-part.ts')
  const lost = vi.fn()
  page.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  orLost(Promise.resolve(undefined)).catch(lost)
  await vi.advanceTimersByTimeAsync(100)
  expect(lost).toHaveBeenCalledExactlyOnceWith(expect.any(PartNotFetched))
  reloadOnceFetched()
  await vi.advanceTimersByTimeAsync(0)
  expect(reload).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2 * FAILED_READ_WAITS.first)
  expect(reload).toHaveBeenCalledTimes(1)
})

test.each(['removed', 'here'] as const)('it reloads at once for a part that is %s', async (outcome) => {
  findParts(outcome)
  await open(fakeStorage())
  await losePart()
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

test('a clock that was set back since the last reload does not put the next one off', async () => {
  await open(fakeStorage(new Map([[RELOADED_KEY, String(Date.now() + 2 * HOUR_MS)]])))
  network.isThere = true
  await losePart()
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

test('a part that is lost within a minute of a reload for another screen reloads the page when the minute is over', async () => {
  findParts('here')
  await open(
    fakeStorage(
      new Map([
        [RELOADED_FOR_KEY, '/profile'],
        [RELOADED_KEY, String(Date.now())],
      ]),
    ),
  )
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { reloadOnceFetched } = await import('#app/shell/reload-for-lost-parts.ts')
  reloadOnceFetched()
  await vi.advanceTimersByTimeAsync(RELOAD_AGAIN_MS - 1)
  expect(reload).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(reload).toHaveBeenCalledTimes(1)
})

const inUse: [string, () => void, () => void][] = [
  [
    'something is typed on the screen',
    () => void page.dispatchEvent(new Event('input')),
    () => vi.stubGlobal('location', { reload, pathname: '/profile' }),
  ],
  [
    'something is chosen in a form',
    () => void page.dispatchEvent(new Event('click')),
    () => vi.stubGlobal('location', { reload, pathname: '/profile' }),
  ],
  ['a dialog is open', () => vi.stubGlobal('document', { querySelector: () => ({}) }), () => vi.stubGlobal('document', elements)],
]

test.each(inUse)('for a part that has not come it does not reload while %s, but does then', async (_, begin, end) => {
  findParts('here')
  await open(fakeStorage())
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { reloadIfStuck } = await import('#app/shell/reload-for-lost-parts.ts')
  begin()
  reloadIfStuck()
  await vi.advanceTimersByTimeAsync(PART_SLOW_MS + 2 * FAILED_READ_WAITS.first)
  expect(reload).not.toHaveBeenCalled()
  end()
  await vi.advanceTimersByTimeAsync(FAILED_READ_WAITS.longest)
  expect(reload).toHaveBeenCalled()
})

test.each(inUse)('for a part that is lost it does not reload if %s by the time that the server has replied', async (_, begin, end) => {
  const { orLost } = await import('#app/lost-part.ts')
  network.whileProbing = begin
  await losePart()
  await expect(orLost(Promise.resolve(undefined))).rejects.toThrow('could not be fetched')
  expect(reload).not.toHaveBeenCalled()
  network.whileProbing = end
  await losePart()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('it does not reload for a part that comes late', async () => {
  findParts('here')
  await open(fakeStorage())
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { reportStuckPart } = await import('#app/lost-part.ts')
  const arrival = Promise.withResolvers<void>()
  reportStuckPart(arrival.promise)
  await vi.advanceTimersByTimeAsync(PART_SLOW_MS / 2)
  arrival.resolve()
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  expect(reload).not.toHaveBeenCalled()
})

test('it does not reload again for a part that fails although it is here, nor once the screen has gone', async () => {
  const fetchParts = findParts('here', 'missing')
  await open(fakeStorage(new Map([[RELOADED_FOR_KEY, '/about']])))
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { reloadOnceFetched } = await import('#app/shell/reload-for-lost-parts.ts')
  reloadOnceFetched()
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  expect(fetchParts).toHaveBeenCalledTimes(1)
  const stop = reloadOnceFetched()
  await vi.advanceTimersByTimeAsync(0)
  stop()
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  expect(reload).not.toHaveBeenCalled()
})

test('it does not reload while the server does not reply, but does later', async () => {
  network.isThere = false
  await losePart()
  expect(reload).not.toHaveBeenCalled()
  network.isThere = true
  await losePart()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('it does not reload while another page is being opened, unless that is cancelled', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  network.isThere = true
  page.dispatchEvent(new Event('beforeunload'))
  page.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  await vi.advanceTimersByTimeAsync(LEAVE_TIMEOUT_MS - 1)
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
  await losePart()
  expect(reload).toHaveBeenCalledTimes(1)
})

test.each(staying)('it waits no longer once %s', async (_, event) => {
  network.isThere = true
  page.dispatchEvent(new Event('beforeunload'))
  await losePart()
  expect(reload).not.toHaveBeenCalled()
  page.dispatchEvent(event())
  await nextTask()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('it does not reload while another page is being opened that was requested after the part was lost', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  network.isThere = true
  network.whileProbing = () => {
    page.dispatchEvent(new Event('beforeunload'))
    network.whileProbing = () => {}
  }
  page.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  await vi.advanceTimersByTimeAsync(LEAVE_TIMEOUT_MS - 1)
  expect(reload).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a page that was left before it reloaded does so when somebody returns to it', async () => {
  network.isThere = true
  await losePart()
  page.dispatchEvent(new Event('beforeunload'))
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect(reload).toHaveBeenCalledTimes(2)
})

test('if session storage is blocked, the page reloads once, and not again after that', async () => {
  network.isThere = true
  await open(null)
  await losePart()
  expect(reload).toHaveBeenCalledTimes(1)
  await open(null, 'reload')
  await losePart()
  expect(reload).not.toHaveBeenCalled()
})

test('a lost part is reported once the page is known to stay, and never if it reloads', async () => {
  const { orLost } = await import('#app/lost-part.ts')
  const outcome = vi.fn()
  network.isThere = false
  page.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  await expect(orLost(Promise.resolve(undefined))).rejects.toThrow()
  network.isThere = true
  page.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  orLost(Promise.resolve(undefined)).then(outcome, outcome)
  await nextTask()
  expect(reload).toHaveBeenCalledTimes(1)
  expect(outcome).not.toHaveBeenCalled()
})
