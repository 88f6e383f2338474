import type { Facet, LearningStyle, PersonalityType } from '#server/content/definition.ts'

/** `items.{en,fr}.json`: what a player reads before and while answering. */
export interface ItemWords {
  /** `name` may carry `<sup>` and `<sub>`. */
  assessment: { name: string; tagline: string; description: string }
  /** Labels by rating, '1'–'4'. */
  ratings: Record<string, string>
  /** Labels by agreement, '1'–'5'. */
  agreement: Record<string, string>
  /** By question and statement id; a pair's options are `{id}-A` and `{id}-B`. */
  items: Record<string, string>
}

/**
 * `results.{en,fr}.json`: what a player reads afterwards. The French never agrees with the reader's gender.
 * `content` stands alone; `opening`, `learning`, `with…`, the facets and `closing` make the overview.
 */
export interface ResultWords {
  styles: Record<LearningStyle, StyleWords>
  types: Record<PersonalityType, { content: string; opening: string; performers: string[] }>
  facets: Record<Facet, { high: string; low: string }> & { leadOne: string; leadSeveral: string }
  closing: string
}

/** `withE` … `withP`: how the style sounds beside that letter of the type. */
export interface StyleWords {
  name: string
  content: string
  learning: string
  withE: string
  withI: string
  withJ: string
  withP: string
}
