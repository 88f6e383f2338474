import { afterEach, expect, test, vi } from 'vitest'
import { isSignedInEntry, markSignedInEntries, noteSignedInEntry } from '#app/session/signed-in-entry.ts'

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

test('an entry that begins while somebody is signed in is marked, however it begins', () => {
  const history = { state: null as unknown, replaceState: (state: unknown) => void (history.state = state) }
  const page = new EventTarget()
  vi.stubGlobal('history', history)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const stop = markSignedInEntries()
  for (const type of ['pushState', 'replaceState', 'popstate', 'hashchange']) {
    history.state = null
    page.dispatchEvent(new Event(type))
    expect([type, isSignedInEntry()]).toEqual([type, true])
  }
  stop()
  history.state = null
  page.dispatchEvent(new Event('pushState'))
  expect(isSignedInEntry()).toBe(false)
})
