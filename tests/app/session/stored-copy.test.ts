import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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
  vi.stubGlobal('localStorage', {
    ...fakeStorage(values),
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
  })
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
  await expect(copySession()).resolves.toBeUndefined()
  isFull = false
  values.set('refreshToken', 'r')
  expect(await restoreSession()).toBe(true)
  expect(values.get('refreshToken')).toBe('newer')
})

test('a single token lost from local storage is restored from the copy', async () => {
  values.set('idToken', 'i')
  await copySession()
  values.delete('idToken')
  expect(await restoreSession()).toBe(true)
  expect(values.get('idToken')).toBe('i')
  expect(await restoreSession()).toBe(false)
})
