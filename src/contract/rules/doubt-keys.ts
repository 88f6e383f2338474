import type { Doubt } from './answer-doubts.ts'

/** The key of each doubt's text in `locales/*\/doubts.json`: before Submit, beside the result and in its report. */
export const DOUBT_KEYS = {
  'same-ranking': 'DoubtSameRanking',
  'same-side': 'DoubtSameSide',
  'too-fast': 'DoubtTooFast',
  'same-agreement': 'DoubtSameAgreement',
  'opposites-alike': 'DoubtOppositesAlike',
} as const satisfies Record<Doubt, string>
