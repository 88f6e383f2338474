import { beforeEach, expect, test, vi } from 'vitest'
import { signInDeviceId, ensureSignInDeviceId, storeKnownDevice, knownDevices } from '#app/session/known-devices.ts'
import { fakeStorage } from '#tests/support/storage.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', fakeStorage(stored))
})

test('each device secret is stored once, the latest first', () => {
  expect(knownDevices()).toEqual([])
  for (const secret of ['a.1', 'b.2', 'a.1']) storeKnownDevice(secret)
  expect(knownDevices()).toEqual(['a.1', 'b.2'])
})

test('at most 20 device secrets are stored, and malformed ones are left out', () => {
  for (let i = 0; i < 25; i += 1) storeKnownDevice(`a.${i}`)
  expect(knownDevices()).toHaveLength(20)
  expect(knownDevices()[0]).toBe('a.24')
  stored.set('knownDevices', `a.1 "x" ${'x'.repeat(300)}  b.2`)
  expect(knownDevices()).toEqual(['a.1', 'b.2'])
})

test('a device creates its id at its first sign-in and reuses it (LOGIN-17)', () => {
  expect(signInDeviceId()).toBeUndefined()
  const made = ensureSignInDeviceId()
  expect(made).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  expect([signInDeviceId(), ensureSignInDeviceId()]).toEqual([made, made])
})

test('a malformed device id is replaced', () => {
  stored.set('deviceId', 'x')
  expect(signInDeviceId()).toBeUndefined()
  expect(ensureSignInDeviceId()).toMatch(/^[\da-f-]{36}$/)
})
