import { readFileSync } from 'node:fs'
import { parseSync, Visitor, type ParseResult } from 'vite'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '#server/limits/limits.ts'
import { filesBelow, parse, read, stringsIn } from './source-files.ts'

/** Words: the same keys and placeholders in both languages, every key used, none missing, no English in components. WORDS-2 */

type Words = Record<string, string>
const areas = filesBelow('locales/en', /\.json$/).map((path) => path.replace(/^locales\/en\/|\.json$/g, ''))
const wordsOf = (language: string, area: string) => JSON.parse(read(`locales/${language}/${area}.json`)) as Words
const base = (key: string) => key.replace(/_(one|many|other)$/, '')
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).toSorted((a = '', b = '') => a.localeCompare(b))

const files = [
  ...filesBelow('src/app', /\.tsx?$/),
  ...filesBelow('src/gallery', /\.tsx?$/),
  ...filesBelow('src/boot', /\.ts$/),
  ...filesBelow('src/server', /\.ts$/),
  ...filesBelow('src/contract', /\.ts$/),
  'src/tools/web-manifest.ts',
]
const used = usedIn(files)

/** What could be a key: the words in strings, names of properties, and the beginnings of templates such as `ResultsPole${letter}`. */
function usedIn(paths: readonly string[]) {
  const names = new Set<string>(paths.flatMap((path) => stringsIn(path).flatMap((text) => text.split(/\W+/))))
  const stems = new Set<string>()
  const visitor = new Visitor({
    Identifier: ({ name }) => names.add(name),
    TemplateLiteral({ quasis, expressions }) {
      const stem = expressions.length > 0 ? /^(?:[\w-]+:)?([A-Z]\w+)$/.exec(quasis[0]?.value.raw ?? '')?.[1] : undefined
      if (stem !== undefined) stems.add(stem)
    },
  })
  for (const path of paths) visitor.visit(parse(path).program)
  return { names, stems: [...stems] }
}

/** One English word for one thing: each with what a text must not call it. */
const ONE_WORD: Readonly<Record<string, string>> = {
  clear: 'stands(?! out)|letters? (?:that )?stand|they stand',
  reply: '(?:no|the) answer (?:came|comes|did)|(?:to|an) answer (?:to )?our|too long to answer',
  photo: 'your picture|name, picture',
  email: 'mails',
  player: 'footballers?',
  anyway: 'all the same',
  automatically: 'by (?:itself|themselves|ourselves)',
  'in the meantime': 'meanwhile',
}

/** The words of `texts` that another is said for, with their keys. */
const otherWordsIn = (texts: Words) =>
  Object.entries(texts).flatMap(([key, text]) =>
    Object.entries(ONE_WORD)
      .filter(([, others]) => new RegExp(`\\b(?:${others})\\b`, 'i').test(text))
      .map(([word]) => `${key}: ${word}`),
  )

it('another word for the same thing is seen', () => {
  const planted = { Style: 'Its letter stands.', Out: 'No style stands out.', Reply: 'No answer came.', Mail: 'No real mails.' }
  expect(otherWordsIn(planted)).toEqual(['Style: clear', 'Reply: reply', 'Mail: email'])
})

/** Texts of areas that must be there without those of the errors, which they repeat. */
const OF_ERRORS = {
  'answers-file:NotOurs': 'NOT_AN_ANSWERS_FILE',
  'answers-file:Damaged': 'ANSWERS_FILE_DAMAGED',
  'assessment:TestOverReclaimed': 'INSTANCE_RECLAIMED',
  'auth:LoginEmailInvalid': 'INVALID_EMAIL',
  'team:CoachReportNotComplete': 'NO_REPORT_YET',
  'ui:UnexpectedError': 'UNEXPECTED',
}

it.each(['en', 'fr'])('what an area says of a refusal is what its error says in %s', (language) => {
  for (const [name, code] of Object.entries(OF_ERRORS)) {
    const [area = '', key = ''] = name.split(':')
    expect(wordsOf(language, area)[key], name).toBe(wordsOf(language, 'errors')[code])
  }
})

// nothing is done before it is pressed, and the page says so
it.each(['en', 'fr'])('the page that stops invitations names its button in %s', (language) => {
  const { StopText = '', StopConfirm = '-' } = wordsOf(language, 'invitations')
  expect(StopText).toContain(StopConfirm)
})

it.each(['en', 'fr'])('the operator’s page has words for every limit in %s', (language) => {
  const words = wordsOf(language, 'operator')
  expect(Object.keys(LIMITS).filter((limit) => words[`Limit_${limit}`] === undefined)).toEqual([])
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
    for (const [key, text] of Object.entries(fr).filter(([one]) => one.endsWith('_many'))) {
      expect(placeholders(text), key).toEqual(placeholders(en[`${base(key)}_other`] ?? ''))
    }
  })

  it('names no pair of letters: the reader’s own is filled in', () => {
    for (const [key, text] of [...Object.entries(en), ...Object.entries(fr)]) expect(text, key).not.toMatch(/\b(E\/I|S\/N|T\/F|J\/P)\b/)
  })

  it('writes both numbers of a share as digits', () => {
    const mixed = /\}\} (?:of the|of|seule des|des|sur) (?:two|three|four|deux|trois|quatre)(?!\p{L})/u
    for (const [key, text] of [...Object.entries(en), ...Object.entries(fr)]) expect(text, key).not.toMatch(mixed)
  })

  it('has one English word for one thing', () => {
    expect(otherWordsIn(en)).toEqual([])
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
    const unused = [...new Set(Object.keys(en).map(base))].filter(
      (key) => area !== 'errors' && !used.names.has(key) && !used.stems.some((stem) => key.startsWith(stem)),
    )
    expect(unused).toEqual([])
  })
})

it('every key that the portal names has words', () => {
  const known = new Set(areas.flatMap((area) => Object.keys(wordsOf('en', area)).map(base)))
  const named = files
    .filter((path) => /^src\/(app|gallery)\//.test(path))
    .flatMap((path) => keysIn(path).map((key) => [path, key] as const))
  expect(named.length).toBeGreaterThan(500)
  expect(named.filter(([, key]) => !known.has(key)).map(([path, key]) => `${path}: ${key}`)).toEqual([])
})

/** The keys in calls such as `t('assessment:TestNext')`. */
function keysIn(path: string): string[] {
  const keys: string[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'Identifier' || callee.name !== 't' || first?.type !== 'Literal') return
      const key = /^(?:[\w-]+:)?(\w+)$/.exec(String(first.value))?.[1]
      if (key !== undefined) keys.push(key)
    },
  })
  visitor.visit(parse(path).program)
  return keys
}

it('no English stands in components', () => {
  const components = files.filter((path) => path.endsWith('.tsx'))
  expect(components.flatMap((path) => spokenIn(parse(path)).map((words) => `${path}: ${words}`))).toEqual([])
})

it('a planted English word is seen', () => {
  const code = '<p title="Close" className="wide" alt={t("Alt")}>Hello <b>{name}</b>: 100 % <i>x</i></p>'
  expect(spokenIn(parseSync('planted.tsx', code))).toEqual(['title="Close"', 'Hello'])
})

/** Words that people would read or hear, and that no translation replaces. */
function spokenIn({ program }: ParseResult): string[] {
  const spoken: string[] = []
  const visitor = new Visitor({
    JSXText({ value }) {
      if (/\p{L}{2}/u.test(value)) spoken.push(value.trim())
    },
    JSXAttribute({ name, value }) {
      const isRead = name.type === 'JSXIdentifier' && /^(label|title|alt|placeholder|aria-label)$/.test(name.name)
      if (isRead && value?.type === 'Literal' && /\p{L}/u.test(value.value)) spoken.push(`${name.name}="${value.value}"`)
    },
  })
  visitor.visit(program)
  return spoken
}

it('in French “net” says what is clear alone, and no strength of a preference', () => {
  const results = JSON.parse(readFileSync('locales/fr/results.json', 'utf8')) as Record<string, string>
  const strengths = Object.entries(results).filter(([key]) => key.startsWith('ResultsStrength'))
  expect(strengths.length).toBeGreaterThan(3)
  for (const [key, text] of strengths) expect([key, /\bnet/.test(text)]).toEqual([key, false])
})
