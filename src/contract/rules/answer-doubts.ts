import { itemIdsOf, sectionTypeOf, type Answers, type Question, type Section, type SectionType } from './questionnaire.ts'

/**
 * Whether answers look as if they had been given without reading: pure, for the screen before Submit and for scoring (QUESTIONS-22,
 * SCORING-14). No rule needs a scoring key, so that both find the same.
 *
 * The limits leave honest players alone. Of 200,000 simulated ones, whose preferences were none to strong, and who to some degree liked
 * one place of the options and tended to agree, 3 had 8 rankings alike, 40 pairs on one side or 19 agreements alike, and 84 agreed, or
 * disagreed, 19 times. A player who guesses reaches them with 9e-8, 2e-8, 4e-12 and 7e-7.
 */

export const DOUBTS = ['same-ranking', 'same-side', 'too-fast', 'same-agreement', 'opposites-alike'] as const
/** In the order of the sections. */
export type Doubt = (typeof DOUBTS)[number]

/** The section that a doubt is about. */
export const SECTION_OF_DOUBT: Readonly<Record<Doubt, SectionType>> = {
  'same-ranking': 'likertscale',
  'same-side': 'ipsative',
  'too-fast': 'ipsative',
  'same-agreement': 'likertitem',
  'opposites-alike': 'likertitem',
}

/** `alike` of `of` answers are doubtful, in that proportion also of more; fewer than `of` say nothing. */
interface Limit {
  alike: number
  of: number
}
const RANKING_LIMIT: Limit = { alike: 8, of: 12 }
const PAIR_LIMIT: Limit = { alike: 40, of: 44 }
const AGREEMENT_LIMIT: Limit = { alike: 19, of: 20 }

/** A pair is 10 to 24 words long, half of them 17 or more: nobody reads that, and chooses, in this time. */
const READING_MS = 1500

/** All answers in the order shown, '' for one that is missing. */
export interface AnswerSheet {
  /** of each question, the ratings from top to bottom */
  rankings: string[][]
  pairs: string[]
  agreements: string[]
}

/** The answers in the order of the questionnaire, by type of question; '' where one is missing. */
export function sheetOf(sections: readonly Section[], answers: Answers): AnswerSheet {
  const valuesOf = (type: SectionType) =>
    questionsOf(sections, type).map((question) => itemIdsOf(question).map((id) => answers[question.id]?.[id] ?? ''))
  return { rankings: valuesOf('likertscale'), pairs: valuesOf('ipsative').flat(), agreements: valuesOf('likertitem').flat() }
}

/** What the answers alone say. */
export function doubtsOf({ rankings, pairs, agreements }: AnswerSheet): Doubt[] {
  const found: Doubt[] = []
  const orders = rankings.map((ratings) => ratings.join(''))
  if (isOneAnswer(orders, RANKING_LIMIT)) found.push('same-ranking')
  if (isOneAnswer(pairs, PAIR_LIMIT)) found.push('same-side')
  if (isOneAnswer(agreements, AGREEMENT_LIMIT)) found.push('same-agreement')
  // half of the statements say the opposite of the others, so one side of nearly all is both sides
  else if (isOneAnswer(agreements.map(sideOf), AGREEMENT_LIMIT)) found.push('opposites-alike')
  return found
}

/**
 * Whether more than half of the pairs were answered faster than they can be read.
 * @param tookMs by question id; a pair without one counts as read
 */
export function isTooFast(sections: readonly Section[], tookMs: ReadonlyMap<string, number>): boolean {
  const pairs = questionsOf(sections, 'ipsative')
  const fast = pairs.filter(({ id }) => (tookMs.get(id) ?? READING_MS) < READING_MS)
  return pairs.length >= PAIR_LIMIT.of && fast.length * 2 > pairs.length
}

/** Agreed or disagreed; '' for in between. */
function sideOf(agreement: string): 'agreed' | 'disagreed' | '' {
  if (agreement === '4' || agreement === '5') return 'agreed'
  return agreement === '1' || agreement === '2' ? 'disagreed' : ''
}

function isOneAnswer(values: readonly string[], { alike, of }: Limit): boolean {
  if (values.length < of) return false
  const counts = new Map<string, number>()
  for (const value of values) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values()) * of >= values.length * alike
}

function questionsOf(sections: readonly Section[], type: SectionType): Question[] {
  return sections.filter((section) => sectionTypeOf(section) === type).flatMap(({ questions }) => questions)
}
