import { afterEach, expect, test, vi } from 'vitest'
import { markSignedInEntries, noteSignedInEntry, userOfEntry } from '#app/session/signed-in-entry.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([null, { isFromTeam: true }])('an entry of the history keeps its state (%o), and keeps its first mark', (before) => {
  const replaced: unknown[] = []
  const history = { state: before as unknown, replaceState: (state: unknown) => replaced.push((history.state = state)) }
  vi.stubGlobal('history', history)
  expect(userOfEntry()).toBeUndefined()
  noteSignedInEntry('sam')
  noteSignedInEntry('alex')
  expect(userOfEntry()).toBe('sam')
  expect(replaced).toEqual([{ ...before, signedInUser: 'sam' }])
})

test('an entry that begins while somebody is signed in is marked, however it begins', () => {
  const history = { state: null as unknown, replaceState: (state: unknown) => void (history.state = state) }
  const page = new EventTarget()
  vi.stubGlobal('history', history)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const stop = markSignedInEntries('sam')
  for (const type of ['pushState', 'replaceState', 'popstate', 'hashchange']) {
    history.state = null
    page.dispatchEvent(new Event(type))
    expect([type, userOfEntry()]).toEqual([type, 'sam'])
  }
  stop()
  history.state = null
  page.dispatchEvent(new Event('pushState'))
  expect(userOfEntry()).toBeUndefined()
})
