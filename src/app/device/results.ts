import { call } from '#app/api/call.ts'
import { assessments, type ResultText } from '#contract/assessments.ts'
import { instances, type InstanceSummary } from '#contract/instances.ts'
import { mayStoreReads } from './owner.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { readStored, writeStored } from './store/device-store.ts'
import type { Dated, InstanceKey } from './store/stored.ts'

/** A completed instance with its words in one language, as the results screen shows it. */
export interface LocalizedResults {
  summary: InstanceSummary
  text: ResultText | null
}

const keyOf = (instanceId: string, language: string) => `results/${instanceId}/${language}`

/** Reads results from the server; `text` is null while there is no result. Rejects with `ApiError`. */
export async function fetchResults({ userId, instanceId }: InstanceKey, language: string): Promise<LocalizedResults> {
  const {
    sections: _sections,
    responses: _responses,
    groups: _groups,
    hash: _hash,
    ...summary
  } = await call(instances.get, { params: { instanceId }, query: { sections: 'none' } }, { language, userId })
  if (!summary.results) return { summary, text: null }
  const { Section1, section2 } = summary.results
  return {
    summary,
    text: await call(assessments.resultText, { query: { lsi: Section1.value, mbti: section2.value, instanceId } }, { language, userId }),
  }
}

/** Stores results for reading offline. RESULTS-7 */
export async function storeResults(userId: string, language: string, results: LocalizedResults): Promise<void> {
  const mayStore = () => mayStoreReads(userId)
  if (results.text && mayStore()) await writeStored(userId, keyOf(results.summary.instanceId, language), results, { mayStore })
}

/** Fetches and stores results in the other languages, so that switching works offline. Rejects with `ApiError`. */
export async function storeResultsInOtherLanguages(userId: string, instanceId: string, language: string): Promise<void> {
  for (const other of LANGUAGES) {
    if (other !== language) await storeResults(userId, other, await fetchResults({ userId, instanceId }, other))
  }
}

/** The stored results in this language, else in another. */
export async function storedResults(userId: string, instanceId: string, language: string): Promise<Dated<LocalizedResults> | undefined> {
  for (const one of [language, ...LANGUAGES]) {
    const stored = await readStored<LocalizedResults>(userId, keyOf(instanceId, one))
    if (stored) return stored
  }
  return undefined
}
