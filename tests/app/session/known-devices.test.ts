import { beforeEach, expect, test, vi } from 'vitest'
import { deviceId, deviceIdForSignIn, storeKnownDevice, knownDevices } from '#app/session/known-devices.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})

test('a device is known to everybody who signed in on it, the last one first, each once', () => {
  expect(knownDevices()).toEqual([])
  for (const secret of ['a.1', 'b.2', 'a.1']) storeKnownDevice(secret)
  expect(knownDevices()).toEqual(['a.1', 'b.2'])
})

test('no more than 20 people, and nothing that the sign-in would be refused for', () => {
  for (let i = 0; i < 25; i += 1) storeKnownDevice(`a.${i}`)
  expect(knownDevices()).toHaveLength(20)
  expect(knownDevices()[0]).toBe('a.24')
  stored.set('knownDevices', `a.1 "x" ${'x'.repeat(300)}  b.2`)
  expect(knownDevices()).toEqual(['a.1', 'b.2'])
})

test('LOGIN-17: a device names itself at its first sign-in, and stays itself', () => {
  expect(deviceId()).toBeUndefined()
  const made = deviceIdForSignIn()
  expect(made).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  expect([deviceId(), deviceIdForSignIn()]).toEqual([made, made])
})

test('a name that the sign-in would be refused for is made anew', () => {
  stored.set('deviceId', 'x')
  expect(deviceId()).toBeUndefined()
  expect(deviceIdForSignIn()).toMatch(/^[\da-f-]{36}$/)
})
