import { TOKEN_COUNT_DEFAULT, TOKEN_COUNT_MAXIMUM, TOKEN_COUNT_MINIMUM } from '#contract/constants.ts'

/** The number of players to buy tokens for: digits only, 1 to 100. TOKENS-3 */

export function clampCount(count: number): number {
  return Math.min(Math.max(count, TOKEN_COUNT_MINIMUM), TOKEN_COUNT_MAXIMUM)
}

/** The digits typed or pasted; undefined if there is anything else: 1.5 must become neither 15 nor 1. */
export function plainDigits(text: string): string | undefined {
  const digits = text.trim()
  return /^\d*$/.test(digits) ? digits : undefined
}

/** `count` from the URL: the default if missing, not a whole number or below the minimum; at most the maximum. TOKENS-4 */
export function countOfQuery(text: string | null): number {
  const count = text !== null && /^\d+$/.test(text) ? Number(text) : 0
  return count < TOKEN_COUNT_MINIMUM ? TOKEN_COUNT_DEFAULT : clampCount(count)
}
