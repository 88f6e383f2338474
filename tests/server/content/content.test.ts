import { describe, expect, it } from 'vitest'
import { section as sectionSchema } from '#contract/instances.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { overviewParagraph, PARAGRAPH, styleParagraph, typeParagraph } from '#contract/rules/paragraph-marks.ts'
import { paragraphsOf } from '#contract/rules/result-picture.ts'
import { countItems } from '#contract/rules/questionnaire.ts'
import {
  assessmentWords,
  currentVersionOf,
  learningStyleOf,
  personalityTypeOf,
  resultNames,
  resultText,
  sampleReportOf,
  sectionsOf,
} from '#server/content/content.ts'
import { itemsOf, resultsOf, VERSIONS } from './support.ts'

const STYLES = ['play', 'view', 'plan', 'training']
const TYPES = ['E', 'I'].flatMap((a) => ['S', 'N'].flatMap((b) => ['T', 'F'].flatMap((c) => ['J', 'P'].map((d) => a + b + c + d))))

function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)])
}

describe.each(VERSIONS)('sections of %s as presented', (version) => {
  it.each(LANGUAGES)('follow the contract and have 112 items (%s)', (language) => {
    const sections = sectionsOf(version, language)
    expect(sections.map(({ name, type }) => [name, type])).toEqual([
      ['Section1', 'likertscale'],
      ['Section2', 'ipsative'],
      ['Section3', 'likertitem'],
    ])
    for (const one of sections) expect(sectionSchema.parse(one)).toEqual(one)
    expect(countItems(sections)).toBe(12 * 4 + 44 + 20)
  })

  it('offer ratings 1–4, choices A and B, agreement 1–5', () => {
    const [ranking, choices, agreement] = sectionsOf(version, 'en')
    const values = (options: { value: string }[] | undefined) => options?.map(({ value }) => value)
    expect(values(ranking?.sectionOptions)).toEqual(['1', '2', '3', '4'])
    for (const question of ranking?.questions ?? [])
      for (const sub of question.subQuestions) expect(values(sub.options)).toEqual(['1', '2', '3', '4'])
    for (const question of choices?.questions ?? []) expect(values(question.options)).toEqual(['A', 'B'])
    expect(values(agreement?.sectionOptions)).toEqual(['1', '2', '3', '4', '5'])
  })

  it.each(LANGUAGES)('contain no scoring key (%s)', (language) => {
    const sections = sectionsOf(version, language)
    const shown = ['name', 'type', 'sectionOptions', 'questions', 'id', 'question', 'options', 'subQuestions', 'value', 'label']
    expect(new Set(keysIn(sections))).toEqual(new Set(shown))
    const ids = sections.flatMap(({ questions }) => questions.flatMap(({ id, subQuestions }) => [id, ...subQuestions.map((sub) => sub.id)]))
    for (const id of ids) expect(id).toMatch(/^(s1-q\d\d(-[a-d])?|s2-q\d\d|s3-q\d\d)$/)
  })

  it('differ between the languages only in their words', () => {
    const bare = (language: 'en' | 'fr') =>
      JSON.stringify(sectionsOf(version, language), (key, value: unknown) => (key === 'question' || key === 'label' ? '' : value))
    expect(bare('fr')).toBe(bare('en'))
  })
})

describe('the assessment', () => {
  it('is offered at the newest version, and the earlier ones stay', () => {
    expect(VERSIONS).toEqual(['touchline-profile-1', 'touchline-profile-2'])
    expect(currentVersionOf('touchline-profile')).toBe('touchline-profile-2')
  })

  it('has its words in both languages', () => {
    for (const language of LANGUAGES) {
      const words = assessmentWords('touchline-profile', language)
      expect(words).toMatchObject(itemsOf(currentVersionOf('touchline-profile'), language).assessment)
      expect(words.estimatedTimeMinutes).toBe(15)
      expect(words.name.replaceAll(/<(sup|sub)>.*?<\/\1>/g, '')).not.toMatch(/[<>]/)
      expect(words.tagline && words.description).not.toBe('')
    }
  })

  it('has a sample report in each language', () => {
    const files = LANGUAGES.map((language) => sampleReportOf('touchline-profile', language))
    expect(files).toEqual(['assessmentSampleReportImpact.pdf', 'assessmentSampleReportImpact.fr.pdf'])
  })

  it('throws on an id or version it does not know', () => {
    expect(() => currentVersionOf('other')).toThrow('No such content')
    expect(() => sectionsOf('touchline-profile-0', 'en')).toThrow('No such content')
  })
})

describe.each(VERSIONS)('results of %s', (version) => {
  it('exist for exactly the 4 styles and the 16 types', () => {
    expect(Object.keys(resultsOf(version, 'en').styles)).toEqual(STYLES)
    expect(Object.keys(resultsOf(version, 'en').types).sort()).toEqual([...TYPES].sort())
  })

  it('name the style in words and the type in letters', () => {
    const names = LANGUAGES.map((language) => STYLES.map((lsi) => resultNames(version, { lsi, mbti: 'ENFP' }, language)))
    expect(names.flat().every(({ section2Label }) => section2Label === 'ENFP')).toBe(true)
    expect(names.map((one) => one.map(({ section1Result }) => section1Result))).toEqual([
      ['Free Play', 'Wide View', 'Game Plan', 'Training Ground'],
      ['Jeu libre', 'Vue d’ensemble', 'Plan de jeu', 'Atelier'],
    ])
  })

  it('can be found by the key or any language’s name of a style, and by a type in either case', () => {
    for (const wording of ['view', 'Wide View', ' vue d’ensemble ']) expect(learningStyleOf(version, wording)).toBe('view')
    expect(learningStyleOf(version, 'midfield')).toBeUndefined()
    expect(personalityTypeOf(version, 'isfp')).toBe('ISFP')
    expect(personalityTypeOf(version, 'ISFX')).toBeUndefined()
    expect(() => resultText(version, { lsi: 'midfield', mbti: 'ISFP' }, 'en')).toThrow('No such result')
  })

  it('have all texts for each pair of style and type', () => {
    for (const language of LANGUAGES)
      for (const lsi of STYLES)
        for (const mbti of TYPES) {
          const text = resultText(version, { lsi, mbti }, language)
          expect(text.lsiType.content).not.toBe('')
          expect(text.mbtiType.content).not.toBe('')
          expect(text.characterOverview.content).not.toBe('')
          expect(text.sportsPerformers.content.length).toBeGreaterThanOrEqual(3)
        }
  })

  it('have the same paragraphs in each language, and each can be marked', () => {
    for (const lsi of STYLES)
      for (const mbti of TYPES) {
        const facets = [{ id: 'mistakes', mean: 5 }]
        const counts = LANGUAGES.map((language) => {
          const text = resultText(version, { lsi, mbti, facets }, language)
          return paragraphsOf(text.characterOverview.content).length
        })
        expect(new Set(counts).size).toBe(1)
        const ids = Array.from({ length: counts[0] ?? 0 }, (_, index) => overviewParagraph(index))
        for (const id of [...ids, styleParagraph(lsi), typeParagraph(mbti)]) expect(id).toMatch(PARAGRAPH)
      }
  })
})

it('no rating in French begins with "Plus", which is read as "no longer"', () => {
  for (const version of VERSIONS) expect(Object.values(itemsOf(version, 'fr').ratings).filter((label) => /^plus /i.test(label))).toEqual([])
})
