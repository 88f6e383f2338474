import { TOKEN_COUNT_DEFAULT, TOKEN_COUNT_MAXIMUM, TOKEN_COUNT_MINIMUM } from '#contract/constants.ts'

/** How many players to buy tokens for: digits only, 1 to 100. TOKENS-3 */

export function clampCount(count: number): number {
  return Math.min(Math.max(count, TOKEN_COUNT_MINIMUM), TOKEN_COUNT_MAXIMUM)
}

/** The number typed or pasted; undefined unless it is all digits: 1.5 is neither 15 nor 1. */
export function plainDigits(text: string): string | undefined {
  const digits = text.trim()
  return /^\d*$/.test(digits) ? digits : undefined
}

/** `count` in the URL: the default if missing, not a whole number or not above 0; the maximum if above it. TOKENS-4 */
export function countOfQuery(text: string | null): number {
  const count = text !== null && /^\d+$/.test(text) ? Number(text) : 0
  return count < TOKEN_COUNT_MINIMUM ? TOKEN_COUNT_DEFAULT : clampCount(count)
}
