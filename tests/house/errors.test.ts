import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import { codeOfField, commonErrors, errors } from '#contract/errors.ts'
import { filesBelow, stringsIn } from './source-files.ts'

const root = new URL('../../', import.meta.url)
const json = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8')) as Record<string, string>
const codes = Object.keys(errors)
/** Words without a code: no refusal arrived (API-3, LOGIN-6), the device is full, or a moment's wait is minutes or hours. */
const WITHOUT_CODE = new Set([
  'FETCH_ERROR',
  'TIMEOUT_ERROR',
  'PARSING_ERROR',
  'STORAGE_FULL',
  'UNEXPECTED',
  'WAIT_FOR',
  'WAIT_UNTIL',
  'WAIT_UNTIL_DAY_AND_TIME',
  'WAIT_UNTIL_DAY',
])

test.each(['en', 'fr'])('every code has words in %s, and no words are without a code', (language) => {
  const words = json(`locales/${language}/errors.json`)
  expect(Object.keys(words).filter((code) => !WITHOUT_CODE.has(code))).toEqual(codes)
  for (const text of Object.values(words)) expect(text.trim()).not.toBe('')
})

test('every code has a row in docs/errors.md with its status, and no row is without a code', () => {
  const page = readFileSync(new URL('docs/errors.md', root), 'utf8')
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| (\d{3}) +\| \S/gm)].map(([, code, status]) => [code, Number(status)])
  expect(rows).toEqual(Object.entries(errors))
})

test('every code can be given by some call', () => {
  const given = new Set([...commonErrors, ...everyEndpoint().flatMap(([, endpoint]) => endpoint.errors)])
  expect(codes.filter((code) => !given.has(code as keyof typeof errors))).toEqual([])
})

test('every code is met by a test', () => {
  const tests = [...filesBelow('tests', /\.test\.tsx?$/), ...filesBelow('e2e', /\.ts$/)].filter((path) => !path.startsWith('tests/house/'))
  const strings = tests.flatMap(stringsIn)
  expect(codes.filter((code) => !strings.some((text) => new RegExp(`\\b${code}\\b`).test(text)))).toEqual([])
})

test.each(['en', 'fr'])('the fields that have a code of their own have words in %s', (language) => {
  const words = json(`locales/${language}/fields.json`)
  expect(Object.keys(codeOfField).filter((key) => !words[key])).toEqual([])
})

test('French is typeset: no plain space before ; ! ? or :, and no straight apostrophe', () => {
  for (const file of ['errors', 'mail']) {
    for (const [key, text] of Object.entries(json(`locales/fr/${file}.json`))) {
      expect([key, /[^\u202F][;!?](?!\/)|[^\u00A0]:(?!\/)|'/.test(text)]).toEqual([key, false])
    }
  }
})

test('the mails say the same things in both languages', () => {
  expect(Object.keys(json('locales/fr/mail.json'))).toEqual(Object.keys(json('locales/en/mail.json')))
})
