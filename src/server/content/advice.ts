import { readFileSync } from 'node:fs'
import { SITUATIONS, type CoachReport, type Situation } from '#contract/instances.coach.ts'
import { byLanguage, type Language } from '#contract/languages.ts'
import type { LearningStyle, Pole } from './definition.ts'

/**
 * What a coach could try, by what is clear in a result (TEAM-21). One text for all content versions: it follows from letters and styles,
 * which the versions share, and tells players nothing that was different when they answered. advice.test.ts checks the files.
 */

/** `advice.{en,fr}.json`. A style has no line for matches. */
export interface AdviceWords {
  styles: Record<LearningStyle, Partial<Record<Situation, string>>>
  letters: Record<Pole, Record<Situation, string>>
  /** for a talk of ten minutes */
  questions: readonly string[]
}

const words = byLanguage(
  (language) => JSON.parse(readFileSync(new URL(`./advice.${language}.json`, import.meta.url), 'utf8')) as AdviceWords,
)

interface ClearResult {
  /** null between several */
  style: { key: string; name: string } | null
  letters: readonly string[]
}

/** The advice: for each situation one line per clear letter and one for a clear style; nothing from what lies between. */
export function adviceOn({ style, letters }: ClearResult, language: Language): CoachReport['advice'] {
  const { styles, letters: poles, questions } = words[language]
  const sources: { source: string; lines: Partial<Record<Situation, string>> }[] = [
    ...letters.map((letter) => ({ source: letter, lines: inOf(poles, letter) })),
    ...(style ? [{ source: style.name, lines: inOf(styles, style.key) }] : []),
  ]
  const linesFor = (situation: Situation) =>
    sources.flatMap(({ source, lines }) => (lines[situation] === undefined ? [] : [{ source, text: lines[situation] }]))
  return { situations: SITUATIONS.map((situation) => ({ situation, lines: linesFor(situation) })), questions: [...questions] }
}

/** A key that is not in the file, from a later scoring version, has no lines. */
function inOf<Value extends object>(record: Partial<Record<string, Value>>, key: string): Value | Record<string, never> {
  return record[key] ?? {}
}
