import { readFileSync } from 'node:fs'
import type { LearningStyle, PersonalityType } from './definition.ts'
import type { OverviewWords } from './words.ts'

const read = new Map<string, OverviewWords>()

/**
 * The text written for a pair of style and type, its paragraphs in order. A file is read when it is first asked for:
 * the eight together are larger than all other words, and start-up needs none of them (SPEED-10).
 */
export function writtenOverview(contentVersion: string, language: string, style: LearningStyle, type: PersonalityType): readonly string[] {
  const path = `./${contentVersion}/overviews/${language}/${style}.json`
  const words = read.get(path) ?? (JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as OverviewWords) // overviews.test.ts
  read.set(path, words)
  return words[type]
}
