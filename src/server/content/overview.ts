import { FACETS } from './definition.ts'
import type { ResultWords } from './words.ts'

/** Mean agreement, 1–5, from which a facet is clearly high or clearly low; between them it is not mentioned. */
const HIGH = 4
const LOW = 2

/**
 * The character overview: paragraphs separated by a newline (RESULTS-4).
 * First what was written for the pair, then what else stood out, and the limits of it all.
 * @param written the pair's own paragraphs
 * @param facets means 1–5 by facet id, as scored; left out, that paragraph is missing
 */
export function overviewOf(written: readonly string[], words: ResultWords, facets: readonly { id: string; mean: number }[] = []): string {
  return [...written, standOut(words.facets, facets), words.closing].filter((paragraph) => paragraph !== '').join('\n')
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
