import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { copySession, restoreSession } from '#app/session/stored-copy.ts'

/** The sign-in a second time, for a browser that is killed. docs/decisions/0034 */

let values: Map<string, string>
let isFull: boolean

beforeEach(() => {
  values = new Map([
    ['accessToken', 'a'],
    ['refreshToken', 'r'],
  ])
  isFull = false
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
    removeItem: (key: string) => void values.delete(key),
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('what a kill took from local storage is there again', async () => {
  await copySession()
  values.clear()
  expect(await restoreSession()).toBe(true)
  expect(values.get('refreshToken')).toBe('r')
})

test('a full disk at the start keeps nobody out of the app, and the copy is tried again at the next one', async () => {
  await copySession()
  values.clear()
  isFull = true
  expect(await restoreSession()).toBe(false)
  isFull = false
  expect(await restoreSession()).toBe(true)
  expect(values.get('refreshToken')).toBe('r')
})

test('a full local storage stops no sign-in: it is copied without its mark', async () => {
  await copySession()
  values.set('refreshToken', 'newer')
  isFull = true
  await expect(copySession()).resolves.toBeUndefined()
  isFull = false
  values.set('refreshToken', 'r')
  expect(await restoreSession()).toBe(true)
  expect(values.get('refreshToken')).toBe('newer')
})
