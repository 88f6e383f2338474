import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentVersionOf, sectionsOf } from '#server/content/content.ts'

/** The questionnaire's words from their file. */

const CONTENT = { current: 'v2', files: { v1: { en: 'v1.en.aa.json' }, v2: { en: 'v2.en.bb.json', fr: 'v2.fr.cc.json' } } }
const sections = sectionsOf(currentVersionOf('touchline-profile'), 'en')

let requests: string[]

beforeEach(() => {
  requests = []
  vi.resetModules()
  vi.stubEnv('CONTENT_FILES', JSON.stringify(CONTENT))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

async function fetchSectionsFrom(reply: () => Response | Promise<Response>) {
  vi.stubGlobal('fetch', async (address: string) => {
    requests.push(address)
    return reply()
  })
  return (await import('#app/device/content-words.ts')).fetchSections
}

const json =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status })

test('words come from the file of their content version and language, even of an earlier version', async () => {
  const fetchSections = await fetchSectionsFrom(json({ sections }))
  expect(await fetchSections('v2', 'fr')).toEqual(sections)
  expect(await fetchSections('v1', 'en')).toEqual(sections)
  expect(requests).toEqual(['/media/content/v2.fr.cc.json', '/media/content/v1.en.aa.json'])
})

test('nothing is fetched if this build has no such file', async () => {
  const fetchSections = await fetchSectionsFrom(json({ sections }))
  expect([await fetchSections('v3', 'en'), await fetchSections('v1', 'fr')]).toEqual([undefined, undefined])
  expect(requests).toEqual([])
})

test.each([
  ['a file that was removed', json({ code: 'NOT_FOUND' }, 404)],
  ["a captive portal's page", () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
  ['JSON of another shape', json({ sections: [{ name: 'Section1' }] })],
  ['no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
])('%s brings no words', async (_, reply) => {
  const fetchSections = await fetchSectionsFrom(reply)
  expect(await fetchSections('v2', 'en')).toBeUndefined()
})
