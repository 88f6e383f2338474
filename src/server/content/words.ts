import type { Facet, LearningStyle, PersonalityType } from './definition.ts'

/** The texts of an assessment on offer. */
export interface AssessmentWords {
  name: string
  tagline: string
  description: string
  estimatedTimeMinutes: number
}

/** `items.{en,fr}.json`: the texts of the offer and of the questions. */
export interface ItemWords {
  /** `name` may contain `<sup>` and `<sub>`. */
  assessment: { name: string; tagline: string; description: string }
  /** a file in the media host's `sample/` */
  sampleReportFilename: string
  /** Labels by rating, '1'–'4'. */
  ratings: Record<string, string>
  /** Labels by agreement, '1'–'5'. */
  agreement: Record<string, string>
  /** By question and statement id; a pair's options are `{id}-A` and `{id}-B`. */
  items: Record<string, string>
}

/** `results.{en,fr}.json`: the texts of a result. The French ones avoid words that agree with the reader's gender. */
export interface ResultWords {
  styles: Record<LearningStyle, { name: string; content: string }>
  types: Record<PersonalityType, { content: string; performers: string[] }>
  /** sentences of the overview for facets that stood out */
  facets: Record<Facet, { high: string; low: string }> & { leadOne: string; leadSeveral: string }
  /** the overview's last paragraph */
  closing: string
}

/** `overviews/{en,fr}/{style}.json`: for each pair of style and type, a text of three paragraphs. */
export type OverviewWords = Record<PersonalityType, readonly string[]>
