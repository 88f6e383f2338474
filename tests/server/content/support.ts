import { readFileSync } from 'node:fs'
import type { Language } from '#contract/languages.ts'
import { contentVersions } from '#server/content/content.ts'
import type { LearningStyle, PersonalityType } from '#server/content/definition.ts'
import type { ItemWords, OverviewWords, ResultWords } from '#server/content/words.ts'

/** The texts of a content version, from its files. */

export const VERSIONS = contentVersions()

export function itemsOf(version: string, language: Language): ItemWords {
  return read(`${version}/items.${language}.json`) as ItemWords
}

export function resultsOf(version: string, language: Language): ResultWords {
  return read(`${version}/results.${language}.json`) as ResultWords
}

export function overviewsOf(version: string, language: Language, style: LearningStyle): OverviewWords {
  return read(`${version}/overviews/${language}/${style}.json`) as OverviewWords
}

export function stylesOf(version: string): LearningStyle[] {
  return Object.keys(resultsOf(version, 'en').styles) as LearningStyle[] // content.test.ts
}

export function typesOf(version: string): PersonalityType[] {
  return Object.keys(resultsOf(version, 'en').types) as PersonalityType[] // content.test.ts
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../src/server/content/${path}`, import.meta.url), 'utf8'))
}
