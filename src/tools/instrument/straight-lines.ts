import { stylesOf } from '#contract/rules/clear-results.ts'
import { definitionOf } from '#server/content/content.ts'
import { statementIds } from '#server/content/definition.ts'
import { score } from '#server/instances/scoring.ts'
import type { AllFigures } from './figures.ts'

/** Results of people who do not read: the same column all the way down, or two columns in turn. */
const SHEETS = [
  { sheet: 'A throughout, 1-2-3-4, strongly agree', ratings: ['1234'], pairs: 'A', agreements: '5' },
  { sheet: 'B throughout, 4-3-2-1, strongly disagree', ratings: ['4321'], pairs: 'B', agreements: '1' },
  { sheet: 'A and B in turn, 1-2-3-4, the middle', ratings: ['1234'], pairs: 'AB', agreements: '3' },
  { sheet: 'A and B, two orders, agree and strongly agree in turn', ratings: ['1234', '4321'], pairs: 'AB', agreements: '45' },
  { sheet: 'A and B, two orders, agree and disagree in turn', ratings: ['1234', '4321'], pairs: 'AB', agreements: '42' },
]

export function straightLines(contentVersion: string): AllFigures['straightLines'] {
  const { groups, pairs, statements } = definitionOf(contentVersion)
  return SHEETS.map(({ sheet, ...column }) => {
    const { Section1, section2, doubts } = score(
      contentVersion,
      Object.fromEntries([
        ...groups.flatMap(({ id }, group) => {
          const ratings = column.ratings[group % column.ratings.length] ?? ''
          return statementIds(id).map((statement, at) => [statement, ratings.charAt(at)])
        }),
        ...pairs.map(({ id }, at) => [id, column.pairs.charAt(at % column.pairs.length)]),
        ...statements.map(({ id }, at) => [id, column.agreements.charAt(at % column.agreements.length)]),
      ]),
    )
    const letters = section2.axes.flatMap(({ letter }) => letter ?? [])
    const styles = stylesOf(Section1.value, Section1.axes)
    return {
      sheet,
      nearest: `${Section1.value} ${section2.value}`,
      clear: `${styles.length === 1 ? Section1.value : `between ${styles.length} styles`}; ${letters.length === 0 ? 'no letter' : letters.join(', ')}`,
      noticed: doubts.map((doubt) => doubt.replace('-', ' ')).join(', ') || 'nothing',
    }
  })
}
