import { afterEach, expect, test, vi } from 'vitest'
import { noteLastScreen, takeLastScreen } from '#app/session/last-screen.ts'
import { fakeStorage } from '#tests/support/storage.ts'

afterEach(() => vi.unstubAllGlobals())

test('the last screen of a tab is returned once, with its query, and no other tab’s', () => {
  vi.stubGlobal('sessionStorage', fakeStorage())
  noteLastScreen('/a?b=1')
  expect([takeLastScreen('/a?b=1'), takeLastScreen('/a?b=1')]).toEqual([true, false])
  noteLastScreen('/a?b=1')
  expect([takeLastScreen('/a'), takeLastScreen('/a?b=1')]).toEqual([false, false])
})
