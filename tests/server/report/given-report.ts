import type { Language } from '#contract/languages.ts'
import { answeredGroups, type Leaning } from '#sandbox/demo-accounts/leaning.ts'
import { currentVersionOf } from '#server/content/content.ts'
import { presentResults } from '#server/instances/present.ts'
import { textsOf } from '#server/instances/result-texts.ts'
import { score } from '#server/instances/scoring.ts'
import type { ReportGiven } from '#server/report/report.ts'

/** Reports of invented players. */

export const ALL_BETWEEN: Leaning = {
  firstCounts: { EI: 6, SN: 5, TF: 7, JP: 4 },
  modes: { experience: 0, watch: 0, idea: 0, do: 0 },
  seed: 2,
}

export function givenReport(language: Language, leaning: Leaning, version = currentVersionOf('touchline-profile')): ReportGiven {
  const answers = answeredGroups(version, 1, leaning).flatMap(({ value }) => Object.entries(value))
  const stored = score(version, Object.fromEntries(answers.map(([id, answer]) => [id, answer ?? ''])))
  return {
    language,
    assessmentName: 'Touchline Profile<sup>1</sup>',
    playerName: 'Léa Marchand',
    completed: new Date('2026-05-01T10:00:00Z'),
    results: presentResults(version, stored, language),
    text: textsOf(version, stored, language),
    coachName: null,
  }
}

/** The style lies in the middle of the pitch, too: the answers alone never do exactly that. */
export function inTheMiddle(report: ReportGiven): ReportGiven {
  const styles = ['play', 'view', 'training', 'plan'].map((value) => ({ value, result: value }))
  const Section1 = { ...report.results.Section1, axes: { ideaExperience: 0, doWatch: 0 }, styles }
  return { ...report, results: { ...report.results, Section1 } }
}

/** One for each learning style. */
export const STYLE_LEANINGS: readonly Leaning[] = [
  { experience: 1, do: 1, watch: 0, idea: 0 },
  { experience: 1, do: 0, watch: 1, idea: 0 },
  { experience: 0, do: 0, watch: 1, idea: 1 },
  { experience: 0, do: 1, watch: 0, idea: 1 },
].map((modes, seed) => ({ firstCounts: { EI: 9, SN: 3, TF: 5, JP: 1 }, modes, seed }))
