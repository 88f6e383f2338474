import { isNotDelivered } from '#contract/rules/statuses.ts'
import type { TokenRow } from '#contract/tokens.ts'

/** Nobody has opened the invitation: the address may be wrong. */
export function mayBeCorrected({ instanceStatus, userId }: TokenRow): boolean {
  return instanceStatus === 'ALLOCATED' && userId === null
}

/** The player did not get the invitation, and will not unless the coach does something. */
export function isUndelivered({ instanceStatus, invitation }: TokenRow): boolean {
  return instanceStatus === 'ALLOCATED' && isNotDelivered(invitation)
}
