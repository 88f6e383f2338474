/**
 * The sample report that cards and results link to (HOME-5, RESULTS-2): a player's own report, made by the server's code from invented
 * answers, in each language. The PDFs are committed: run `node src/tools/sample-report.ts` after a change to the report or its words;
 * tests/tools/sample-report.test.ts fails until then.
 */
import { writeFile } from 'node:fs/promises'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { answeredGroups, type Leaning } from '#sandbox/demo-accounts/leaning.ts'
import { ASSESSMENT_ID, assessmentWords, currentVersionOf, sampleReportOf } from '#server/content/content.ts'
import { presentResults } from '#server/instances/present.ts'
import { textsOf } from '#server/instances/result-texts.ts'
import { score } from '#server/instances/scoring.ts'
import { makeReport } from '#server/report/report.ts'

const COMPLETED = new Date('2026-03-14T12:00:00Z')

const NAMES: Record<Language, string> = { en: 'Robin Sample', fr: 'Robin Exemple' }

/** Three letters are clear and one axis lies between, so that the sample shows both. */
const leaning: Leaning = {
  firstCounts: { EI: 9, SN: 3, TF: 5, JP: 1 },
  modes: { experience: 0.9, do: 0.7, watch: 0.2, idea: 0 },
  seed: 3,
}

/** The sample report in a language. */
export async function sampleReport(language: Language): Promise<Buffer> {
  const contentVersion = currentVersionOf(ASSESSMENT_ID)
  const answers = answeredGroups(contentVersion, 1, leaning).flatMap(({ value }) => Object.entries(value))
  const stored = score(contentVersion, Object.fromEntries(answers.map(([id, answer]) => [id, answer ?? ''])))
  return makeReport({
    language,
    assessmentName: assessmentWords(ASSESSMENT_ID, language).name,
    playerName: NAMES[language],
    completed: COMPLETED,
    results: presentResults(contentVersion, stored, language),
    text: textsOf(contentVersion, stored, language),
    coachName: '',
    isSample: true,
  })
}

async function writeSampleReports(): Promise<void> {
  for (const language of LANGUAGES) {
    const file = new URL(`../../public/media/sample/${sampleReportOf(ASSESSMENT_ID, language)}`, import.meta.url)
    await writeFile(file, await sampleReport(language))
  }
}

if (import.meta.main) await writeSampleReports()
