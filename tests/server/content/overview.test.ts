import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { resultText } from '#server/content/content.ts'
import { FACETS } from '#server/content/definition.ts'
import { stylesOf, typesOf, VERSIONS } from './support.ts'

const all = (mean: number) => FACETS.map((id) => ({ id, mean }))

const each = VERSIONS.flatMap((version) => LANGUAGES.map((language) => ({ version, language })))

describe.each(each)('the overview ($version, $language)', ({ version, language }) => {
  const STYLES = stylesOf(version)
  const TYPES = typesOf(version)
  const overview = (lsi: string, mbti: string, facets: { id: string; mean: number }[] = []) =>
    resultText(version, { lsi, mbti, facets }, language).characterOverview.content

  it('gives each of the 64 results its own text and the same last paragraph', () => {
    const texts = STYLES.flatMap((style) => TYPES.map((type) => overview(style, type)))
    expect(new Set(texts).size).toBe(64)
    expect(new Set(texts.map((text) => text.split('\n').at(-1))).size).toBe(1)
    for (const text of texts) {
      const paragraphs = text.split('\n')
      expect(paragraphs).toHaveLength(4)
      for (const paragraph of paragraphs) expect(paragraph).toMatch(/^[\p{Lu}“«][^]*[.!?»”]$/u)
      expect(text).not.toMatch(/undefined|\s{2}|\s\n|\n\s/)
    }
  })

  it('says no sentence twice, with all facets low or all high', () => {
    for (const style of STYLES)
      for (const type of TYPES)
        for (const mean of [1, 5]) {
          const sentences = overview(style, type, all(mean)).split(/(?<=[.!?])\s/)
          expect(new Set(sentences).size).toBe(sentences.length)
        }
  })

  it('mentions a facet only when it is clearly high or clearly low', () => {
    const quiet = overview('play', 'ENFP', all(3.75))
    expect(quiet).toBe(overview('play', 'ENFP'))
    expect(overview('play', 'ENFP', all(2.25))).toBe(quiet)
    const high = overview('play', 'ENFP', [{ id: 'focus', mean: 4 }])
    const low = overview('play', 'ENFP', [{ id: 'focus', mean: 2 }])
    expect(new Set([quiet, high, low]).size).toBe(3)
    for (const text of [high, low]) expect(text.split('\n')).toHaveLength(5)
  })

  it('introduces one facet that stands out differently from several', () => {
    const lead = (facets: { id: string; mean: number }[]) => overview('plan', 'ISTJ', facets).split('\n')[3]?.split('. ')[0]
    expect(lead([{ id: 'focus', mean: 5 }])).not.toBe(lead(all(5)))
    expect(lead([{ id: 'focus', mean: 5 }])).toBe(lead([{ id: 'composure', mean: 1 }]))
  })

  it('ignores a facet it does not know', () => {
    expect(overview('plan', 'ISTJ', [{ id: 'speed', mean: 5 }])).toBe(overview('plan', 'ISTJ'))
  })
})
