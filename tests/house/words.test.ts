import { describe, expect, it } from 'vitest'
import { filesBelow, read, withoutComments } from './source-files.ts'

/** Words: the same keys and placeholders in both languages, every key used, none missing, no English in components. WORDS-2 */

type Words = Record<string, string>
const areas = filesBelow('locales/en', /\.json$/).map((path) => path.replace(/^locales\/en\/|\.json$/g, ''))
const wordsOf = (language: string, area: string) => JSON.parse(read(`locales/${language}/${area}.json`)) as Words
const base = (key: string) => key.replace(/_(one|many|other)$/, '')
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).toSorted((a = '', b = '') => a.localeCompare(b))

const code = [
  ...filesBelow('src/app', /\.tsx?$/),
  ...filesBelow('src/gallery', /\.tsx?$/),
  ...filesBelow('src/boot', /\.ts$/),
  ...filesBelow('src/server', /\.ts$/),
  ...filesBelow('src/contract', /\.ts$/),
].map((path) => ({ path, text: withoutComments(read(path)) }))
const all = code.map(({ text }) => text).join('\n')

// nothing is done before it is pressed, and the page says so
it.each(['en', 'fr'])('the page that stops invitations names its button in %s', (language) => {
  const { StopText = '', StopConfirm = '-' } = wordsOf(language, 'invitations')
  expect(StopText).toContain(StopConfirm)
})

describe.each(areas)('%s', (area) => {
  const [en, fr] = [wordsOf('en', area), wordsOf('fr', area)]

  it('has the same keys in English and French', () => {
    expect([...new Set(Object.keys(fr).map(base))].toSorted()).toEqual([...new Set(Object.keys(en).map(base))].toSorted())
  })

  it('has the plural forms of each language', () => {
    for (const key of Object.keys(en).filter((one) => one.endsWith('_other'))) {
      expect(en, key).toHaveProperty([`${base(key)}_one`])
      for (const form of ['one', 'many', 'other']) expect(fr, key).toHaveProperty([`${base(key)}_${form}`])
    }
  })

  it('has the same placeholders', () => {
    for (const [key, text] of Object.entries(en)) {
      const french = fr[key]
      if (french !== undefined) expect(placeholders(french), key).toEqual(placeholders(text))
    }
  })

  it('is typeset as French', () => {
    for (const [key, text] of Object.entries(fr)) {
      const plain = text.replace(/\{\{[^}]*\}\}/g, 'x').replace(/https?:\S+/g, '')
      expect(plain, `${key}: a narrow space before ; ! ?`).not.toMatch(/[^\u202f]([;!?])/)
      expect(plain, `${key}: a space before :`).not.toMatch(/[^\u00a0\d]:(?!\d)/)
      expect(plain, `${key}: spaces in « »`).not.toMatch(/«[^\u00a0]|[^\u00a0]»/)
      expect(plain, `${key}: ’`).not.toMatch(/'/)
    }
  })

  it('has no empty text, and no leftovers of another product', () => {
    for (const text of [...Object.values(en), ...Object.values(fr)]) expect(text.trim()).not.toBe('')
    for (const text of Object.values(en)) expect(text).not.toMatch(/resident|revenue|subscription/i)
    for (const text of Object.values(fr)) expect(text).not.toMatch(/résident|revenus|abonnement/i)
  })

  it('has no key that nothing uses', () => {
    // built from a code of the contract: `errors:${code}`; from a letter, a mode, a status: `ResultsPole${letter}`
    const stems = [...all.matchAll(/`(?:[\w-]+:)?([A-Z]\w+)\$\{/g)].map((match) => match[1] ?? '')
    const unused = [...new Set(Object.keys(en).map(base))].filter(
      (key) => area !== 'errors' && !new RegExp(`\\b${key}\\b`).test(all) && !stems.some((stem) => key.startsWith(stem)),
    )
    expect(unused).toEqual([])
  })
})

it('every key that a component names has words', () => {
  const known = new Set(areas.flatMap((area) => Object.keys(wordsOf('en', area)).map(base)))
  const named = code
    .filter(({ path }) => /^src\/(app|gallery)\//.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(/\bt\(\s*['"](?:[\w-]+:)?(\w+)['"]/g)].map((match) => [path, match[1] ?? ''] as const))
  expect(named.filter(([, key]) => !known.has(key)).map(([path, key]) => `${path}: ${key}`)).toEqual([])
})

it('no English stands in components', () => {
  const spoken = code
    .filter(({ path }) => path.endsWith('.tsx'))
    .flatMap(({ path, text }) => {
      const attributes = [...text.matchAll(/\b(?:label|title|alt|placeholder|aria-label)="([^"]*\p{L}[^"]*)"/gu)].map((match) => match[0])
      const between = [...text.matchAll(/<[\w.]+(?:\s[^<>{}]*)?>([^<>{}=;]*\p{L}{2,}[^<>{}=;]*)<\//gu)].map(
        (match) => match[1]?.trim() ?? '',
      )
      return [...attributes, ...between].map((words) => `${path}: ${words}`)
    })
  expect(spoken).toEqual([])
})
