import { isNotDelivered } from '#contract/rules/statuses.ts'
import type { TokenRow } from '#contract/tokens.ts'

/** Whether the address can still be corrected: only while nobody has opened the invitation. */
export function mayBeCorrected({ instanceStatus, userId }: TokenRow): boolean {
  return instanceStatus === 'ALLOCATED' && userId === null
}

/** Whether the invitation did not arrive and will not without the coach's help. */
export function isUndelivered({ instanceStatus, invitation }: TokenRow): boolean {
  return instanceStatus === 'ALLOCATED' && isNotDelivered(invitation)
}
