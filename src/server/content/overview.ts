import { FACETS, type LearningStyle, type PersonalityType } from '#server/content/definition.ts'
import type { ResultWords } from '#server/content/words.ts'

/** Mean agreement, 1–5, from which a facet is clearly high or clearly low; between them it is not mentioned. */
const HIGH = 4
const LOW = 2

/**
 * The character overview: paragraphs separated by a newline (§3 Report content).
 * It goes from the type to how this type learns, then what to try, what else stood out, and the limits of it all.
 * @param facets means 1–5 by facet id, as scored; left out, that paragraph is missing
 */
export function overviewOf(
  words: ResultWords,
  style: LearningStyle,
  type: PersonalityType,
  facets: readonly { id: string; mean: number }[] = [],
): string {
  const learns = words.styles[style]
  return [
    words.types[type].opening,
    `${learns.learning} ${type.startsWith('E') ? learns.withE : learns.withI}`,
    type.endsWith('J') ? learns.withJ : learns.withP,
    standOut(words.facets, facets),
    words.closing,
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n')
}

function standOut(words: ResultWords['facets'], facets: readonly { id: string; mean: number }[]): string {
  const sentences = FACETS.flatMap((facet) => {
    const mean = facets.find(({ id }) => id === facet)?.mean
    if (mean === undefined || (mean < HIGH && mean > LOW)) return []
    return [mean >= HIGH ? words[facet].high : words[facet].low]
  })
  if (sentences.length === 0) return ''
  return [sentences.length === 1 ? words.leadOne : words.leadSeveral, ...sentences].join(' ')
}
