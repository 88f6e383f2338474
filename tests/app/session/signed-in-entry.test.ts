import { afterEach, expect, test, vi } from 'vitest'
import { isSignedInEntry, noteSignedInEntry } from '#app/session/signed-in-entry.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([null, { isFromTeam: true }])('an entry of the history keeps its state (%o), and is marked once', (before) => {
  const replaced: unknown[] = []
  const history = { state: before as unknown, replaceState: (state: unknown) => replaced.push((history.state = state)) }
  vi.stubGlobal('history', history)
  expect(isSignedInEntry()).toBe(false)
  noteSignedInEntry()
  noteSignedInEntry()
  expect(isSignedInEntry()).toBe(true)
  expect(replaced).toEqual([{ ...before, wasSignedIn: true }])
})
