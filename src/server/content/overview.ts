import { FACETS } from './definition.ts'
import type { ResultWords } from './words.ts'

/** Mean agreement, 1–5: from HIGH up a facet is clearly high, from LOW down clearly low. In between it is not mentioned. */
const HIGH = 4
const LOW = 2

/**
 * The character overview: paragraphs separated by a newline (RESULTS-4).
 * First those written for the pair of style and type, then one about the facets that stood out, then the closing one.
 * @param written the paragraphs for the pair of style and type
 * @param facets means, 1–5; without them there is no paragraph about facets
 */
export function overviewOf(written: readonly string[], words: ResultWords, facets: readonly { id: string; mean: number }[] = []): string {
  return [...written, standOutParagraph(words.facets, facets), words.closing].filter((paragraph) => paragraph !== '').join('\n')
}

function standOutParagraph(words: ResultWords['facets'], facets: readonly { id: string; mean: number }[]): string {
  const sentences = FACETS.flatMap((facet) => {
    const mean = facets.find(({ id }) => id === facet)?.mean
    if (mean === undefined || (mean < HIGH && mean > LOW)) return []
    return [mean >= HIGH ? words[facet].high : words[facet].low]
  })
  if (sentences.length === 0) return ''
  return [sentences.length === 1 ? words.leadOne : words.leadSeveral, ...sentences].join(' ')
}
