import type { Doubt } from '#contract/rules/answer-doubts.ts'

/** The text of each doubt, before Submit and beside the result. */
export const DOUBT_WORDS = {
  'same-ranking': 'DoubtSameRanking',
  'same-side': 'DoubtSameSide',
  'too-fast': 'DoubtTooFast',
  'same-agreement': 'DoubtSameAgreement',
  'opposites-alike': 'DoubtOppositesAlike',
} as const satisfies Record<Doubt, string>
