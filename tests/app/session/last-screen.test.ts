import { afterEach, expect, test, vi } from 'vitest'
import { noteLastScreen, takeLastScreen } from '#app/session/last-screen.ts'
import { fakeStorage } from '#tests/support/storage.ts'

afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(globalThis, 'sessionStorage')
})

const storage = (get: () => unknown) => Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get })

test('the last screen of a tab is known once, with its query, and no other is', () => {
  const stored = fakeStorage()
  storage(() => stored)
  noteLastScreen('/a?b=1')
  expect([takeLastScreen('/a?b=1'), takeLastScreen('/a?b=1')]).toEqual([true, false])
  noteLastScreen('/a?b=1')
  expect([takeLastScreen('/a'), takeLastScreen('/a?b=1')]).toEqual([false, false])
})

test('where the browser blocks session storage a screen is as unknown as in a new tab, and opens', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  storage(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  expect(() => noteLastScreen('/a')).not.toThrow()
  expect(takeLastScreen('/a')).toBe(false)
})
