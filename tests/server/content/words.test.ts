import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { definitionOf } from '#server/content/content.ts'
import { AXES, MODES, statementIds, type Definition } from '#server/content/definition.ts'
import type { ItemWords, ResultWords } from '#server/content/words.ts'
import { itemsOf, resultsOf, VERSIONS } from './support.ts'

interface Words {
  version: string
  language: Language
  definition: Definition
  items: ItemWords
  results: ResultWords
}
const wordsOf = (version: string, language: Language): Words => ({
  version,
  language,
  definition: definitionOf(version),
  items: itemsOf(version, language),
  results: resultsOf(version, language),
})
const every = VERSIONS.flatMap((version) => LANGUAGES.map((language) => wordsOf(version, language)))

/** Every text with its path, so that a failure names its place. */
function texts(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return [[path, '']]
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, `${path}/${key}`))
}
const textsOf = ({ items, results }: Words) => [...texts(items), ...texts(results)]
const matching = (all: [string, string][], pattern: RegExp) => all.filter(([, text]) => pattern.test(text))
/** An elided word counts with the next: « l’équipe » is one. */
const wordCount = (text: string) => text.match(/[\p{L}\p{N}]+(?:’\p{L}+)*/gu)?.length ?? 0
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe.each(VERSIONS)('both languages of %s', (version) => {
  const languages = LANGUAGES.map((language) => wordsOf(version, language))
  const definition = definitionOf(version)

  it('have the same texts, by the same ids', () => {
    const [en, fr] = languages.map((words) => textsOf(words).map(([path]) => path))
    expect(fr).toEqual(en)
  })

  it('have words for each item of the definition and for nothing else', () => {
    const ids = [
      ...definition.groups.flatMap(({ id }) => [id, ...statementIds(id)]),
      ...definition.pairs.flatMap(({ id }) => [id, `${id}-A`, `${id}-B`]),
      ...definition.statements.map(({ id }) => id),
    ]
    for (const { items } of languages) expect(Object.keys(items.items)).toEqual(ids)
  })

  it('name the same players for a type, 3–5 each and nobody twice', () => {
    const name = (performer: string) => performer.split(',')[0]?.replaceAll('’', "'")
    const [en, fr] = languages.map(({ results }) => Object.values(results.types).map(({ performers }) => performers.map(name)))
    expect(fr).toEqual(en)
    for (const performers of en ?? []) expect(performers.length >= 3 && performers.length <= 5).toBe(true)
    expect(new Set(en?.flat()).size).toBe(en?.flat().length)
  })
})

describe.each(every)('the words ($version, $language)', (words) => {
  const all = textsOf(words)
  const { definition } = words

  it('are never empty, and always trimmed', () => {
    expect(matching(all, /^$|^\s|\s$| {2}|\.\.\./)).toEqual([])
  })

  it('use typographic apostrophes and quotes', () => {
    expect(matching(all, /['"]/)).toEqual([])
  })

  it('name no other instrument, and claim nothing about health, talent or selection', () => {
    expect(matching(all, /\bMBTI\b|Myers|Briggs|Kolb|\bLSI\b/i)).toEqual([])
    expect(matching(all, /diagnos|talent|disorder|trouble|sélection|selection|recrut|scouting/i)).toEqual([])
  })

  it.runIf(words.version !== 'touchline-profile-1')('speak of no type of the player, who may have none that is clear', () => {
    expect(matching(all, /your (?:personality )?type|(?:ton|votre) type/i)).toEqual([])
  })

  it('repeat no item', () => {
    const items = Object.entries(words.items.items).filter(([id]) => !/^s[12]-q\d\d$/.test(id))
    expect(new Set(items.map(([, text]) => text)).size).toBe(items.length)
  })

  it('have at most 16 words in each item', () => {
    for (const [id, text] of Object.entries(words.items.items)) expect([id, wordCount(text) <= 16]).toEqual([id, true])
  })

  it('have sentences of similar length for all modes, and for both poles of an axis', () => {
    const { items } = words.items
    const lengths = (ids: string[]) => mean(ids.map((id) => items[id]?.length ?? 0))
    const idsOf = (mode: string) => definition.groups.flatMap(({ id, modes }) => statementIds(id).filter((_, at) => modes[at] === mode))
    const byMode = MODES.map((mode) => lengths(idsOf(mode)))
    expect(Math.max(...byMode) / Math.min(...byMode)).toBeLessThan(1.2)
    for (const { axis, first, second } of AXES) {
      const pairs = definition.pairs.filter((pair) => pair.axis === axis)
      const byPole = [first, second].map((pole) => lengths(pairs.map(({ id, A }) => `${id}-${A === pole ? 'A' : 'B'}`)))
      expect([axis, Math.max(...byPole) / Math.min(...byPole) < 1.2]).toEqual([axis, true])
    }
  })

  it('describe each style and each type in 90–160 words', () => {
    for (const [key, { content }] of Object.entries({ ...words.results.styles, ...words.results.types })) {
      const count = wordCount(content)
      expect([key, count >= 90 && count <= 160 ? 'fits' : count]).toEqual([key, 'fits'])
    }
  })

  it('give the name of a player first, then how that player is often seen', () => {
    const seen = /often described|known|remembered|praised|souvent décrite?|connue?|resté|apprécié/
    for (const { performers } of Object.values(words.results.types))
      for (const performer of performers) expect(performer).toMatch(new RegExp(`^\\p{Lu}[\\p{L}’ -]+, (${seen.source})`, 'u'))
  })
})

describe.each(VERSIONS)('the French typography of %s (WORDS-5)', (version) => {
  const all = textsOf(wordsOf(version, 'fr'))

  it('puts U+202F before ; ! ? and U+00A0 before : and inside « »', () => {
    expect(matching(all, /(?<!\u202F)[;!?]/)).toEqual([])
    expect(matching(all, /(?<!\u00A0):/)).toEqual([])
    expect(matching(all, /«(?!\u00A0)|(?<!\u00A0)»/)).toEqual([])
    expect(matching(all, /\u202F(?![;!?])|\u00A0(?![:»])(?<!«\u00A0)/)).toEqual([])
  })

  it('has accents on capitals', () => {
    expect(matching(all, /(^|[.!?:…»]\s)A\s|\bE(coute|cris|quipe|tape|tre|tudi|vite)/)).toEqual([])
  })

  it('fits any reader: no doubled endings, no adjective that would have to agree with tu or je', () => {
    expect(matching(all, /\(e\)|·|\btu\/|-e-s\b/)).toEqual([])
    const afterBeing = all.flatMap(([, text]) => [
      ...text.matchAll(/\b(?:tu|je) (?:(?:te|me|lui|y|en) )?(?:es|suis|sens|restes?|deviens|seras) (\p{L}+)/giu),
    ])
    const agreeing = afterBeing
      .map((match) => match[1] ?? '')
      .filter((word) => /(é|ée|if|ive|eux|euse|ant|ante|eur|in|ine|ul|ule|êt|ête)$/.test(word))
    expect(agreeing).toEqual([])
  })
})
