import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sectionsOf } from '#server/content/content.ts'

/** The questionnaire's words from their file. */

const CONTENT = { current: 'v2', files: { v1: { en: 'v1.en.aa.json' }, v2: { en: 'v2.en.bb.json', fr: 'v2.fr.cc.json' } } }
const sections = sectionsOf('touchline-profile-1', 'en')

let asked: string[]

beforeEach(() => {
  asked = []
  vi.resetModules()
  vi.stubEnv('CONTENT_FILES', JSON.stringify(CONTENT))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

async function wordsFrom(answer: () => Response | Promise<Response>) {
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    return answer()
  })
  return (await import('#app/device/content-words.ts')).fetchWords
}

const json =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status })

test('the file of that content version and language, also of an earlier one', async () => {
  const fetchWords = await wordsFrom(json({ sections }))
  expect(await fetchWords('v2', 'fr')).toEqual(sections)
  expect(await fetchWords('v1', 'en')).toEqual(sections)
  expect(asked).toEqual(['/media/content/v2.fr.cc.json', '/media/content/v1.en.aa.json'])
})

test('what this build has no file of is not asked for', async () => {
  const fetchWords = await wordsFrom(json({ sections }))
  expect([await fetchWords('v3', 'en'), await fetchWords('v1', 'fr')]).toEqual([undefined, undefined])
  expect(asked).toEqual([])
})

test.each([
  ['a file that is gone', json({ code: 'NOT_FOUND' }, 404)],
  ["a captive portal's page", () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
  ['something else', json({ sections: [{ name: 'Section1' }] })],
  ['no line', () => Promise.reject(new TypeError('Failed to fetch'))],
])('%s: none, and the API is asked', async (_, answer) => {
  const fetchWords = await wordsFrom(answer)
  expect(await fetchWords('v2', 'en')).toBeUndefined()
})
