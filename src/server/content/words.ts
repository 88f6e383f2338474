import type { Facet, LearningStyle, PersonalityType } from './definition.ts'

/** What an assessment says of itself where it is offered. */
export interface AssessmentWords {
  name: string
  tagline: string
  description: string
  estimatedTimeMinutes: number
}

/** `items.{en,fr}.json`: what a player reads before and while answering. */
export interface ItemWords {
  /** `name` may carry `<sup>` and `<sub>`. */
  assessment: { name: string; tagline: string; description: string }
  /** below the media host's `sample/` */
  sampleReportFilename: string
  /** Labels by rating, '1'–'4'. */
  ratings: Record<string, string>
  /** Labels by agreement, '1'–'5'. */
  agreement: Record<string, string>
  /** By question and statement id; a pair's options are `{id}-A` and `{id}-B`. */
  items: Record<string, string>
}

/** `results.{en,fr}.json`: what a player reads afterwards. The French never agrees with the reader's gender. */
export interface ResultWords {
  styles: Record<LearningStyle, { name: string; content: string }>
  types: Record<PersonalityType, { content: string; performers: string[] }>
  /** sentences of the overview, for what stood out among the agreement items */
  facets: Record<Facet, { high: string; low: string }> & { leadOne: string; leadSeveral: string }
  /** the overview's last paragraph */
  closing: string
}

/** `overviews/{en,fr}/{style}.json`: a whole text for each pair of style and type, in three paragraphs. */
export type OverviewWords = Record<PersonalityType, readonly string[]>
