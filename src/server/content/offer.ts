import type { Language } from '#contract/languages.ts'
import { assessmentWords, sampleReportOf } from './content.ts'
import type { AssessmentWords } from './words.ts'

/** An assessment on offer. `words` are the operator's own texts, in one language; null: the content's texts, in each language. */
export interface Offer {
  id: string
  words: AssessmentWords | null
}

export function offerWords({ id, words }: Offer, language: Language): AssessmentWords {
  return words ?? assessmentWords(id, language)
}

/** A file in the media host's `sample/`: the operator's if the texts are the operator's, else the content's. */
export function offerSampleReport(offer: Offer & { sampleReportFilename: string }, language: Language): string {
  return offer.words ? offer.sampleReportFilename : sampleReportOf(offer.id, language)
}
