import { isNotDelivered } from '#contract/rules/statuses.ts'
import type { TokenRow } from '#contract/tokens.ts'

/** Nobody has opened it: the address may be wrong. */
export function mayBeCorrected({ instanceStatus, userId }: TokenRow): boolean {
  return instanceStatus === 'ALLOCATED' && userId === null
}

/** Its player was not told of it, and will not be unless the coach does something. */
export function isUndelivered({ instanceStatus, invitation }: TokenRow): boolean {
  return instanceStatus === 'ALLOCATED' && isNotDelivered(invitation)
}
