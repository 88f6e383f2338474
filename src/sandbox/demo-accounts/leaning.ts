import { AGREEMENTS, type GroupValue } from '#contract/rules/questionnaire.ts'
import { definitionOf } from '#server/content/content.ts'
import { AXES, MODES, statementIds, type Axis, type Mode } from '#server/content/definition.ts'

/** What a made-up player prefers, and the answers that follow from it: plausible results, with clear letters and some between. */
export interface Leaning {
  /** choices for the first letter of each axis, of 11 */
  firstCounts: Record<Axis, number>
  /** how much each way of learning is liked; a difference of 1 decides every ranking */
  modes: Record<Mode, number>
  /** varies what the preferences leave open */
  seed: number
}

const COUNTS = [9, 3, 8, 6, 2, 7, 10, 4, 9, 5, 1]
const LIKING = [0.9, 0.1, 0.6, 0.3, 0]

export function leaningOf(seed: number): Leaning {
  return {
    firstCounts: byKey(
      AXES.map(({ axis }) => axis),
      (at) => pick(COUNTS, seed * (2 * at + 1) + 3 * at),
    ),
    modes: byKey(MODES, (at) => pick(LIKING, seed * (at + 1) + 2 * at)),
    seed,
  }
}

export interface AnsweredGroup {
  questionId: string
  value: GroupValue
}

/** Answers to the first `share` of the questions. */
export function answeredGroups(contentVersion: string, share: number, leaning: Leaning = leaningOf(0)): AnsweredGroup[] {
  const { groups, pairs, statements } = definitionOf(contentVersion)
  const { firstCounts, modes, seed } = leaning
  const seen: Partial<Record<Axis, number>> = {}
  const all = [
    ...groups.map(({ id, modes: keyed }, at) => {
      const liking = keyed.map((mode, place) => modes[mode] + noise(seed * 131 + at * 4 + place))
      const ratings = liking.map((own) => String(liking.filter((other) => other <= own).length))
      return { questionId: id, value: Object.fromEntries(statementIds(id).map((statement, place) => [statement, ratings[place] ?? null])) }
    }),
    ...pairs.map(({ id, axis, A }) => {
      const at = (seen[axis] = (seen[axis] ?? -1) + 1)
      // spread over the axis's eleven pairs
      const isFirst = (at * 5 + seed) % 11 < firstCounts[axis]
      return { questionId: id, value: { [id]: (A === axis[0]) === isFirst ? 'A' : 'B' } }
    }),
    ...statements.map(({ id }, at) => ({ questionId: id, value: { [id]: pick(AGREEMENTS, at * 7 + seed * 3 + 3) } })),
  ]
  return all.slice(0, Math.floor(all.length * share))
}

/** 0 to 1 */
const noise = (at: number) => (Math.imul(at + 1, 2_654_435_761) >>> 12) / 2 ** 20

function byKey<Key extends string>(keys: readonly Key[], of: (at: number) => number): Record<Key, number> {
  return Object.fromEntries(keys.map((key, at) => [key, of(at)])) as Record<Key, number> // of all keys
}

function pick<Item>(list: readonly Item[], at: number): Item {
  return list[at % list.length] as Item // the list is not empty
}
