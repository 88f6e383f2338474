import { readFileSync } from 'node:fs'
import type { LearningStyle, PersonalityType } from './definition.ts'
import type { OverviewWords } from './words.ts'

const read = new Map<string, OverviewWords>()

/**
 * The paragraphs written for a pair of style and type. Each file is read at its first use: the eight together are larger than all
 * other texts, and the start needs none of them (SPEED-10).
 */
export function writtenOverview(contentVersion: string, language: string, style: LearningStyle, type: PersonalityType): readonly string[] {
  const path = `./${contentVersion}/overviews/${language}/${style}.json`
  const words = read.get(path) ?? (JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as OverviewWords) // overviews.test.ts
  read.set(path, words)
  return words[type]
}
