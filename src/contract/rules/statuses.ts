/** Statuses of an instance. OWNED: bought or granted · ALLOCATED: allocated by a coach. ANSWERS-22 */
export const INSTANCE_STATUSES = ['OWNED', 'ALLOCATED', 'IN_PROGRESS', 'COMPLETED', 'RECLAIMED'] as const
export type InstanceStatus = (typeof INSTANCE_STATUSES)[number]

/** The statuses of an instance that a coach allocated and that is neither completed nor reclaimed. */
export const PENDING_STATUSES = ['ALLOCATED', 'IN_PROGRESS'] as const satisfies InstanceStatus[]
/** The statuses of an instance that takes answers. */
export const OPEN_STATUSES: readonly InstanceStatus[] = ['OWNED', ...PENDING_STATUSES]

/** Whether an instance takes answers. It is in the in-progress list then; the past list has only COMPLETED ones. ANSWERS-22 */
export function isOpen(status: InstanceStatus): boolean {
  return OPEN_STATUSES.includes(status)
}

/**
 * State of the last invitation. waiting: not sent yet · sent: the mail server accepted it · refused: the mail server rejects the address
 * permanently · given-up: the mail server could not be reached for too long · unwanted: the owner of the address has opted out.
 * given-up with a `heldUntil` means that no attempt was made, because the address had reached its limit of mails. That is a separate
 * field, because older portals know only these states.
 */
export const INVITATION_STATES = ['waiting', 'sent', 'refused', 'given-up', 'unwanted'] as const
export type InvitationState = (typeof INVITATION_STATES)[number]

/**
 * Why a mail came back after our mail server had accepted it. unknown-address: nobody has the address · mailbox-full · not-accepted: the
 * player's mail server refuses the mail, or could not be reached. The state of the invitation is then refused (unknown-address) or given-up.
 */
export const BOUNCE_REASONS = ['unknown-address', 'mailbox-full', 'not-accepted'] as const
export type BounceReason = (typeof BOUNCE_REASONS)[number]

/** The player has not been notified, and will not be unless the coach does something. */
export type NotDeliveredState = Exclude<InvitationState, 'waiting' | 'sent'>

export function isNotDelivered(invitation: InvitationState | null): invitation is NotDeliveredState {
  return invitation === 'refused' || invitation === 'given-up' || invitation === 'unwanted'
}

/** AVAILABLE: unused · PENDING: with a player who has not finished · COMPLETED: with one who has. TOKENS-20 */
export const TOKEN_STATUSES = ['AVAILABLE', 'PENDING', 'COMPLETED'] as const
export type TokenStatus = (typeof TOKEN_STATUSES)[number]

/** In the reply to a save: COMPLETED once every item has an answer. QUESTIONS-17 */
export type CompletionStatus = 'IN_PROGRESS' | 'COMPLETED'

/** A coach allocated it; else the player bought it or was granted it. */
export function isFromCoach({ allocatedAt }: { allocatedAt: string | null }): boolean {
  return allocatedAt !== null
}
