import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

type Words = Record<string, string>
const read = (language: string, area: string) => JSON.parse(readFileSync(`locales/${language}/${area}.json`, 'utf8')) as Words
const areasOf = (language: string) => readdirSync(`locales/${language}`).map((file) => file.replace('.json', ''))

const plural = /_(?:zero|one|two|few|many|other)$/
const keysOf = (words: Words) => [...new Set(Object.keys(words).map((key) => key.replace(plural, '')))].toSorted()
const placeholdersOf = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}|<\/?(\w+)>/g)].map(([whole]) => whole).toSorted()

test('both languages have the same areas', () => {
  expect(areasOf('fr')).toEqual(areasOf('en'))
})

describe.each(areasOf('en'))('%s', (area) => {
  const en = read('en', area)
  const fr = read('fr', area)

  test('has the same keys in both languages', () => {
    expect(keysOf(fr)).toEqual(keysOf(en))
  })

  test('says the same placeholders', () => {
    for (const [key, text] of Object.entries(fr)) {
      const english = en[key] ?? en[key.replace(plural, '_other')] ?? ''
      expect([key, placeholdersOf(text)]).toEqual([key, placeholdersOf(english)])
    }
  })

  test('has every plural form its language asks for', () => {
    for (const [language, words] of [
      ['en', en],
      ['fr', fr],
    ] as const) {
      const stems = Object.keys(words)
        .filter((key) => key.endsWith('_other'))
        .map((key) => key.replace(plural, ''))
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
      for (const stem of stems) expect(forms.filter((form) => !(`${stem}_${form}` in words)).map((form) => `${stem}_${form}`)).toEqual([])
    }
  })

  test('is set as French is', () => {
    for (const [key, text] of Object.entries(fr)) {
      const plain = text.replace(/https?:\/\/\S+|\{\{.*?\}\}/g, '')
      expect([key, /[^\u202f][;!?](?!\w)/.test(plain)], 'U+202F before ; ! ?').toEqual([key, false])
      expect([key, /[^\u00a0\d]:/.test(plain)], 'U+00A0 before :').toEqual([key, false])
      expect([key, plain.includes("'")], "’ instead of '").toEqual([key, false])
      expect([key, /«[^\u00a0]|[^\u00a0]»/.test(plain)], 'U+00A0 inside « »').toEqual([key, false])
    }
  })
})
