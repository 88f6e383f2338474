import { readFileSync } from 'node:fs'
import { byLanguage, LANGUAGES, type Language } from '#contract/languages.ts'
import type { Option, Section } from '#contract/rules/questionnaire.ts'
import { type Definition, type LearningStyle, type PersonalityType, statementIds } from './definition.ts'
import { overviewOf } from './overview.ts'
import { writtenOverview } from './overviews.ts'
import type { AssessmentWords, ItemWords, ResultWords } from './words.ts'
import { definition } from './touchline-profile-1/definition.ts'

/** All questionnaires with their texts, by content version. An unknown id or version is a bug of the caller, so it throws. */

interface Content {
  definition: Definition
  items: Record<Language, ItemWords>
  results: Record<Language, ResultWords>
}

// version 2 has the questions and scoring keys of version 1, in other words
const contents = new Map([contentOf('touchline-profile-1', definition), contentOf('touchline-profile-2', definition)])

/** The built-in assessment, with the only questionnaire so far. */
export const ASSESSMENT_ID = 'touchline-profile'

const currentVersions = new Map([[ASSESSMENT_ID, 'touchline-profile-2']])

function contentOf(contentVersion: string, structure: Definition): [contentVersion: string, content: Content] {
  const content = { definition: structure, items: wordsIn(contentVersion, 'items'), results: wordsIn(contentVersion, 'results') }
  return [contentVersion, content]
}

function wordsIn<Area extends 'items' | 'results'>(contentVersion: string, area: Area): Content[Area] {
  const read = (language: Language): unknown =>
    JSON.parse(readFileSync(new URL(`./${contentVersion}/${area}.${language}.json`, import.meta.url), 'utf8'))
  return byLanguage(read) as Content[Area] // our own files, which content.test.ts checks
}

/** The version that a new instance is pinned to. ANSWERS-15 */
export function currentVersionOf(assessmentId: string): string {
  return known(currentVersions, assessmentId)
}

/** All content versions, including old ones that instances are pinned to. */
export function contentVersions(): string[] {
  return [...contents.keys()]
}

/** Structure and scoring keys; for scoring only, never sent. */
export function definitionOf(contentVersion: string): Definition {
  return known(contents, contentVersion).definition
}

/** The texts of an assessment on offer. `name` may contain `<sup>` and `<sub>`. DATA-1 */
export function assessmentWords(assessmentId: string, language: Language): AssessmentWords {
  const { definition: structure, items } = known(contents, currentVersionOf(assessmentId))
  return { ...items[language].assessment, estimatedTimeMinutes: structure.estimatedTimeMinutes }
}

/** The file of the sample report in a language. RESULTS-2 */
export function sampleReportOf(assessmentId: string, language: Language): string {
  return known(contents, currentVersionOf(assessmentId)).items[language].sampleReportFilename
}

const cachedSections = new Map<string, Section[]>()

/** The questions as a player gets them: texts and ids, no scoring keys. Returns the same object every time. QUESTIONS-4 */
export function sectionsOf(contentVersion: string, language: Language): Section[] {
  const key = `${contentVersion} ${language}`
  const sections = cachedSections.get(key) ?? makeSections(contentVersion, language)
  cachedSections.set(key, sections)
  return sections
}

function makeSections(contentVersion: string, language: Language): Section[] {
  const { definition: structure, items: words } = known(contents, contentVersion)
  const { items, ratings, agreement } = words[language]
  const ratingOptions = optionsOf(ratings)
  return [
    {
      name: 'Section1',
      type: 'likertscale',
      sectionOptions: ratingOptions,
      questions: structure.groups.map(({ id }) => ({
        id,
        question: wordOf(items, id),
        options: [],
        subQuestions: statementIds(id).map((sub) => ({ id: sub, question: wordOf(items, sub), options: ratingOptions })),
      })),
    },
    {
      name: 'Section2',
      type: 'ipsative',
      sectionOptions: [],
      questions: structure.pairs.map(({ id }) => ({
        id,
        question: wordOf(items, id),
        options: ['A', 'B'].map((value) => ({ value, label: wordOf(items, `${id}-${value}`) })),
        subQuestions: [],
      })),
    },
    {
      name: 'Section3',
      type: 'likertitem',
      sectionOptions: optionsOf(agreement),
      questions: structure.statements.map(({ id }) => ({ id, question: wordOf(items, id), options: [], subQuestions: [] })),
    },
  ]
}

/** The learning style with this key, or with this name in any language. */
export function learningStyleOf(contentVersion: string, wording: string): LearningStyle | undefined {
  const { results } = known(contents, contentVersion)
  const wanted = wording.trim().toLowerCase()
  const isMeant = (style: LearningStyle) =>
    style === wanted || LANGUAGES.some((language) => results[language].styles[style].name.toLowerCase() === wanted)
  return keysOf(results.en.styles).find(isMeant)
}

/** The personality type with these four letters, in upper or lower case. */
export function personalityTypeOf(contentVersion: string, letters: string): PersonalityType | undefined {
  const wanted = letters.trim().toUpperCase()
  return keysOf(known(contents, contentVersion).results.en.types).find((type) => type === wanted)
}

/**
 * The names of a result: the learning style's name in this language, and the type's letters (RESULTS-11). A style or type that this release
 * does not know, stored by a later one, is named by its key.
 */
export function resultNames(
  contentVersion: string,
  result: { lsi: string; mbti: string },
  language: Language,
): { section1Result: string; section2Label: string } {
  const { name } = styleWords(contentVersion, result.lsi, language)
  return { section1Result: name, section2Label: personalityTypeOf(contentVersion, result.mbti) ?? result.mbti }
}

/** The name of a learning style in this language, and its text; its key and '' if this release does not know it. */
export function styleWords(contentVersion: string, style: string, language: Language): { name: string; content: string } {
  const key = learningStyleOf(contentVersion, style)
  return key === undefined ? { name: style, content: '' } : known(contents, contentVersion).results[language].styles[key]
}

/** The text on a personality type in this language; '' if this release does not know it. */
export function typeContent(contentVersion: string, letters: string, language: Language): string {
  const type = personalityTypeOf(contentVersion, letters)
  return type === undefined ? '' : known(contents, contentVersion).results[language].types[type].content
}

/**
 * Report texts for a result. RESULTS-4
 * @param result `lsi` and `mbti` as in the results; with the facets' means (1–5), the overview mentions the facets that stood out
 */
export function resultText(
  contentVersion: string,
  result: { lsi: string; mbti: string; facets?: readonly { id: string; mean: number }[] },
  language: Language,
): {
  lsiType: { content: string }
  mbtiType: { content: string }
  characterOverview: { content: string }
  sportsPerformers: { content: { sportPerson: string }[] }
} {
  const { words, style, type } = resolve(contentVersion, result, language)
  return {
    lsiType: { content: words.styles[style].content },
    mbtiType: { content: words.types[type].content },
    characterOverview: { content: overviewOf(writtenOverview(contentVersion, language, style, type), words, result.facets) },
    sportsPerformers: { content: words.types[type].performers.map((sportPerson) => ({ sportPerson })) },
  }
}

function resolve(contentVersion: string, { lsi, mbti }: { lsi: string; mbti: string }, language: Language) {
  const style = learningStyleOf(contentVersion, lsi)
  const type = personalityTypeOf(contentVersion, mbti)
  if (style === undefined || type === undefined) throw new Error(`No such result in ${contentVersion}: ${lsi} ${mbti}`)
  return { words: known(contents, contentVersion).results[language], style, type }
}

function known<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key)
  if (value === undefined) throw new Error(`No such content: ${key}`)
  return value
}

function wordOf(items: Record<string, string>, id: string): string {
  const word = items[id]
  if (word === undefined) throw new Error(`No words for ${id}`)
  return word
}

function optionsOf(labels: Record<string, string>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}

function keysOf<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record) as Key[] // content.test.ts checks that the JSON has exactly these keys
}
