import type { Language } from '#contract/languages.ts'
import { assessmentWords, sampleReportOf } from './content.ts'
import type { AssessmentWords } from './words.ts'

/** An assessment on offer. The operator may have given it words of their own, in one language; else it has its content's. */
export interface Offer {
  id: string
  words: AssessmentWords | null
}

export function offerWords({ id, words }: Offer, language: Language): AssessmentWords {
  return words ?? assessmentWords(id, language)
}

/** A file below the media host's `sample/`: the operator's with the operator's words, else the content's. */
export function offerSampleReport(offer: Offer & { sampleReportFilename: string }, language: Language): string {
  return offer.words ? offer.sampleReportFilename : sampleReportOf(offer.id, language)
}
