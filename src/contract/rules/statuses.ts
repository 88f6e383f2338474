/** Statuses of an assessment instance. ANSWERS-22; ALLOCATED was given by a coach, OWNED was bought or granted. */
export const INSTANCE_STATUSES = ['OWNED', 'ALLOCATED', 'IN_PROGRESS', 'COMPLETED', 'RECLAIMED'] as const
export type InstanceStatus = (typeof INSTANCE_STATUSES)[number]

/** The in-progress list shows these, the past list only COMPLETED. ANSWERS-22 */
export function isOpen(status: InstanceStatus): boolean {
  return status === 'OWNED' || status === 'ALLOCATED' || status === 'IN_PROGRESS'
}

/**
 * What became of the last invitation: the mail server took it, refuses the address for good, was not there for too long,
 * or the address's owner wants no more. One that was given up with a `heldUntil` was never tried: its address had had
 * enough mails (a field beside the state, since a portal that is older than it knows only these states).
 */
export const INVITATION_STATES = ['waiting', 'sent', 'refused', 'given-up', 'unwanted'] as const
export type InvitationState = (typeof INVITATION_STATES)[number]

/** The player was not told, and will not be unless the coach does something. */
export type NotDeliveredState = Exclude<InvitationState, 'waiting' | 'sent'>

export function isNotDelivered(invitation: InvitationState | null): invitation is NotDeliveredState {
  return invitation === 'refused' || invitation === 'given-up' || invitation === 'unwanted'
}

/** What a token is: unused, with a player who has not finished, or with one who has. TOKENS-20 */
export const TOKEN_STATUSES = ['AVAILABLE', 'PENDING', 'COMPLETED'] as const
export type TokenStatus = (typeof TOKEN_STATUSES)[number]

/** What a save answers: is every item answered now? QUESTIONS-17 */
export type CompletionStatus = 'IN_PROGRESS' | 'COMPLETED'
