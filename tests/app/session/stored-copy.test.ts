import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { clearLocalStorage } from '#app/session/clear-local-storage.ts'
import { noteUncopied } from '#app/session/copied-at.ts'
import { pendingClearings } from '#app/session/pending-clearing.ts'
import { copySession, restoreSession } from '#app/session/stored-copy.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** The copy of the sign-in that survives a killed browser (docs/decisions/0034). */

let values: Map<string, string>
let isFull: boolean

beforeEach(() => {
  values = new Map([
    ['accessToken', 'a'],
    ['refreshToken', 'r'],
  ])
  isFull = false
  vi.spyOn(console, 'warn').mockReturnValue()
  const storage = Object.assign(fakeStorage(values), {
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
  })
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a sign-in lost from local storage is restored from its copy', async () => {
  await copySession()
  values.clear()
  expect(await restoreSession()).toBe(true)
  expect(values.get('refreshToken')).toBe('r')
})

test('a full local storage at the start is no error, and the copy is restored at the next start', async () => {
  await copySession()
  values.clear()
  isFull = true
  expect(await restoreSession()).toBe(false)
  isFull = false
  expect(await restoreSession()).toBe(true)
  expect(values.get('refreshToken')).toBe('r')
})

test('a full local storage does not stop a sign-in, and the copy is made all the same', async () => {
  await copySession()
  values.set('refreshToken', 'newer')
  isFull = true
  expect(await copySession()).toBe(true)
  isFull = false
  values.set('refreshToken', 'r')
  expect(await restoreSession()).toBe(true)
  expect(values.get('refreshToken')).toBe('newer')
})

test('a sign-in that could not be copied is there at the next start, and gives way to a later one that was copied', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const hanging = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('refused', 'UnknownError')
  })
  expect(await copySession()).toBe(false)
  hanging.mockRestore()
  const before = [...values]
  await restoreSession()
  expect(values.get('refreshToken')).toBe('r')
  values.clear()
  values.set('refreshToken', 'later')
  vi.advanceTimersByTime(1000)
  await copySession()
  values.clear()
  for (const [key, value] of before) values.set(key, value)
  expect(await restoreSession()).toBe(true)
  expect(values.get('refreshToken')).toBe('later')
})

test('drafts from before the browser was killed are restored, and removed ones stay removed', async () => {
  values.clear()
  values.set('draft:profile:u1', 'old')
  await copySession()
  values.set('draft:profile:u2', 'typed')
  values.delete('draft:profile:u1')
  await copySession()
  // local storage as it was a moment before
  values.clear()
  values.set('draft:profile:u1', 'old')
  expect(await restoreSession()).toBe(true)
  expect([...values].filter(([key]) => key.startsWith('draft:'))).toEqual([['draft:profile:u2', 'typed']])
})

test('the ids of the device come back with a sign-in that a kill took from local storage', async () => {
  values.clear()
  const ids = ['deviceId', 'answersDeviceId', 'knownDevices'] as const
  for (const key of ids) values.set(key, `${key} of this device`)
  values.set('refreshToken', 'r')
  await copySession()
  values.clear()
  expect(await restoreSession()).toBe(true)
  expect(ids.map((key) => values.get(key))).toEqual(ids.map((key) => `${key} of this device`))
})

test('a chosen language comes back with it; one that the copy does not have stays', async () => {
  await copySession()
  const before = [...values]
  values.set('language', 'fr')
  await copySession()
  values.clear()
  for (const [key, value] of before) values.set(key, value)
  expect(await restoreSession()).toBe(true)
  expect(values.get('language')).toBe('fr')

  // the copy is older than the choice
  values.delete('language')
  await copySession()
  values.clear()
  values.set('language', 'fr')
  expect(await restoreSession()).toBe(true)
  expect(values.get('language')).toBe('fr')
})

test('a single token lost from local storage is restored from the copy', async () => {
  values.set('idToken', 'i')
  await copySession()
  values.delete('idToken')
  expect(await restoreSession()).toBe(true)
  expect(values.get('idToken')).toBe('i')
  expect(await restoreSession()).toBe(false)
})

test('values that a kill brings back after a sign-out are removed, even those never in the copy; those of the device stay', async () => {
  const idToken = `h.${Buffer.from(JSON.stringify({ sub: 'u1' })).toString('base64url')}.s`
  values.set('idToken', idToken).set('recentErrors', 'ada@club.test was refused').set('touchline.reads.u1', 'Maya').set('language', 'fr')
  await copySession()
  const before = [...values]
  // the sign-out
  values.clear()
  await copySession()
  values.clear()
  for (const [key, value] of before) values.set(key, value)
  expect(await restoreSession()).toBe(true)
  expect([...values.keys()].toSorted()).toEqual(['language', 'pendingClearing'])
  // the kill took the note with it, if the database had hung at the sign-out
  expect(pendingClearings()).toEqual([{ userId: 'u1', keepUnsent: true }])
})

test('a page left while the very first copy is being made signs nobody out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await copySession()
  const made = [...values]
  // the database was not there at the sign-in, so that local storage alone has it
  values.clear()
  await copySession()
  values.set('accessToken', 'a').set('refreshToken', 'r').set('draft:profile:u1', 'typed')
  const leaving = vi.spyOn(indexedDB, 'open').mockReturnValue(new EventTarget() as IDBOpenDBRequest)
  const copied = copySession()
  await Promise.resolve()
  await Promise.resolve()
  leaving.mockRestore()
  // the next page
  await restoreSession()
  expect(values.get('refreshToken')).toBe('r')
  expect(values.get('draft:profile:u1')).toBe('typed')
  expect(made.length).toBeGreaterThan(0)
  // so that it does not end after the test
  await vi.advanceTimersByTimeAsync(1500)
  expect(await copied).toBe(false)
})

test('a sign-out that a kill takes back stays one, also of a sign-in that could not be copied', async () => {
  const idToken = `h.${Buffer.from(JSON.stringify({ sub: 'u1' })).toString('base64url')}.s`
  values.set('idToken', idToken)
  vi.spyOn(indexedDB, 'open').mockImplementationOnce(() => {
    throw new DOMException('refused', 'UnknownError')
  })
  expect(await copySession()).toBe(false)
  const before = [...values]
  clearLocalStorage()
  expect(await copySession()).toBe(true)
  values.clear()
  for (const [key, value] of before) values.set(key, value)
  expect(await restoreSession()).toBe(true)
  expect(values.get('refreshToken')).toBeUndefined()
  // nor does it come back later
  expect(await restoreSession()).toBe(false)
})

test('a sign-out on a full disk stays one when a kill takes back all that local storage did since the last copy', async () => {
  await copySession()
  const atCopy = [...values]
  const refused = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  values.set('refreshToken', 'newer')
  expect(await copySession()).toBe(false)
  clearLocalStorage()
  expect(await copySession()).toBe(true)
  refused.mockRestore()
  values.clear()
  for (const [key, value] of atCopy) values.set(key, value)
  expect(await restoreSession()).toBe(true)
  expect(values.get('refreshToken')).toBeUndefined()
})

describe('on a disk that takes nothing any more, a session that a kill brings back', () => {
  const fill = () =>
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
  const kill = (kept: readonly (readonly [string, string])[]) => {
    values.clear()
    for (const [key, value] of kept) values.set(key, value)
  }

  /** A page that is never reloaded after it stored these. */
  async function uncopied(when: string): Promise<[string, string][]> {
    if (when === 'a renewal') await copySession()
    // a guest's page has made the database, and nobody has signed in
    else {
      values.clear()
      values.set('tempEmail', 'ana@club.test')
      await copySession()
      values.clear()
      await copySession()
    }
    const full = fill()
    noteUncopied()
    values.set('accessToken', 'a2').set('refreshToken', 'r2')
    expect(await copySession()).toBe(false)
    full.mockRestore()
    return [...values]
  }

  test.each(['a renewal', 'a sign-in'])('since %s stays', async (when) => {
    const kept = await uncopied(when)
    kill(kept)
    expect(await restoreSession()).toBe(false)
    expect(values.get('refreshToken')).toBe('r2')
  })

  test.each(['a renewal', 'a sign-in'])('since %s is removed if they had signed out', async (when) => {
    const kept = await uncopied(when)
    const full = fill()
    clearLocalStorage()
    expect(await copySession()).toBe(true)
    full.mockRestore()
    kill(kept)
    expect(await restoreSession()).toBe(true)
    expect(values.get('refreshToken')).toBeUndefined()
    // nor does it come back later, and the next person stays
    expect(await restoreSession()).toBe(false)
    values.set('accessToken', 'a3').set('refreshToken', 'r3')
    expect(await copySession()).toBe(true)
    expect(await restoreSession()).toBe(false)
    expect(values.get('refreshToken')).toBe('r3')
  })
})

test('a page left while a sign-in that could not be copied is copied at last signs nobody out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  values.clear()
  await copySession()
  values.set('accessToken', 'a').set('refreshToken', 'r')
  const hanging = vi.spyOn(indexedDB, 'open').mockReturnValue(new EventTarget() as IDBOpenDBRequest)
  const failed = copySession()
  await vi.advanceTimersByTimeAsync(1500)
  expect(await failed).toBe(false)
  const leaving = copySession()
  await vi.advanceTimersByTimeAsync(0)
  hanging.mockRestore()
  // the next page
  await restoreSession()
  expect(values.get('refreshToken')).toBe('r')
  // so that it does not end after the test
  await vi.advanceTimersByTimeAsync(1500)
  expect(await leaving).toBe(false)
})

describe('a page that is held up', () => {
  const tokenOf = (sid: string) => `h.${Buffer.from(JSON.stringify({ sid })).toString('base64url')}.s`
  const signIn = (sid: string) => values.set('accessToken', tokenOf(sid)).set('refreshToken', `r of ${sid}`)

  /** The page's next write waits until the returned function is called. */
  async function holdWrite(): Promise<() => void> {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('touchline-session', 1)
      opening.addEventListener('success', () => resolve(opening.result))
    })
    const request = Object.assign(new EventTarget(), { result: database }) as IDBOpenDBRequest
    vi.spyOn(indexedDB, 'open').mockReturnValueOnce(request)
    return () => request.dispatchEvent(new Event('success'))
  }

  test('does not remove the copy of whoever has signed in since its sign-out', async () => {
    signIn('left')
    await copySession()
    const goOn = await holdWrite()
    values.clear()
    const late = copySession()
    await Promise.resolve()
    await Promise.resolve()
    signIn('next')
    await copySession()
    goOn()
    await late
    expect(await restoreSession()).toBe(false)
    expect(values.get('refreshToken')).toBe('r of next')
    values.clear()
    expect(await restoreSession()).toBe(true)
    expect(values.get('refreshToken')).toBe('r of next')
  })

  test('does not bring back a session that has ended since', async () => {
    signIn('other')
    await copySession()
    const goOn = await holdWrite()
    const late = copySession()
    await Promise.resolve()
    await Promise.resolve()
    values.clear()
    await copySession()
    goOn()
    await late
    await restoreSession()
    expect(values.get('refreshToken')).toBeUndefined()
  })
})

test('a copy that a sign-out could not remove is removed by the next start', async () => {
  await copySession()
  // the database did not respond, and the page was closed
  clearLocalStorage()
  const copied = async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('touchline-session')
      request.addEventListener('success', () => resolve(request.result))
    })
    const reading = database.transaction('copy').objectStore('copy').getAll()
    await new Promise((resolve) => reading.addEventListener('success', resolve))
    database.close()
    return JSON.stringify(reading.result)
  }
  expect(await copied()).toContain('refreshToken')
  expect(await restoreSession()).toBe(false)
  await vi.waitFor(async () => expect(await copied()).not.toContain('refreshToken'))
  expect(values.has('refreshToken')).toBe(false)
})
