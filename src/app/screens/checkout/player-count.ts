import { TOKEN_COUNT_DEFAULT, TOKEN_COUNT_MAXIMUM, TOKEN_COUNT_MINIMUM } from '#contract/constants.ts'

/** For how many players tokens are bought: digits only, 1 to 100. §5 Token count stepper */

export function clampCount(count: number): number {
  return Math.min(Math.max(count, TOKEN_COUNT_MINIMUM), TOKEN_COUNT_MAXIMUM)
}

/** What was typed or pasted, without all that is no digit. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

/** `count` of the address: missing, not a whole number or not above 0 means the default, too much the maximum. §2, §5 */
export function countOfQuery(text: string | null): number {
  const count = text !== null && /^\d+$/.test(text) ? Number(text) : 0
  return count < TOKEN_COUNT_MINIMUM ? TOKEN_COUNT_DEFAULT : clampCount(count)
}
