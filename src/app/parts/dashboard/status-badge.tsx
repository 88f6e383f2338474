import './dashboard.css'
import type { ReactNode } from 'react'
import { formatDate } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { Bounce } from '#contract/bounces.ts'
import {
  isNotDelivered,
  type BounceReason,
  type InstanceStatus,
  type InvitationState,
  type NotDeliveredState,
} from '#contract/rules/statuses.ts'

const STATUS_KEYS: Partial<Record<string, string>> = {
  OWNED: 'StatusNotStarted',
  NOT_STARTED: 'StatusNotStarted',
  ALLOCATED: 'StatusAllocated',
  IN_PROGRESS: 'StatusInProgress',
  COMPLETED: 'StatusCompleted',
}

/** A status's translation key; undefined if unknown: show the value itself (HOME-12). To a coach, ALLOCATED is a pending invitation. */
export function statusKey(status: string, isCoach = false): string | undefined {
  return isCoach && status === 'ALLOCATED' ? 'StatusInvited' : STATUS_KEYS[status]
}

/** Success style for completed, warning otherwise. HOME-12 */
export function Badge({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  return <span className={`status-badge ${isDone ? 'is-done' : 'waits'}`}>{children}</span>
}

const REMEDIES = {
  refused: 'NotDeliveredRefused',
  'given-up': 'NotDeliveredGivenUp',
  unwanted: 'NotDeliveredUnwanted',
} as const satisfies Record<NotDeliveredState, string>

const BOUNCES = {
  'unknown-address': 'BouncedUnknownAddress',
  'mailbox-full': 'BouncedMailboxFull',
  'not-accepted': 'BouncedNotAccepted',
} as const satisfies Record<BounceReason, string>

interface NotDeliveredProps {
  invitation: InvitationState | null
  heldUntil?: string | null | undefined
  bounced?: Bounce | null | undefined
}

/** Below a pending status: says that the invitation did not reach the player and what to do. Renders nothing if it did. */
export function NotDelivered({ invitation, heldUntil, bounced }: NotDeliveredProps) {
  const { t } = useTranslation('home')
  if (!isNotDelivered(invitation)) return null
  const remedy = () => {
    if (heldUntil) return t('NotDeliveredHeld', { when: formatDate(heldUntil) })
    return bounced ? t(BOUNCES[bounced.why], { when: formatDate(bounced.at) }) : t(REMEDIES[invitation])
  }
  return (
    <span className="not-delivered">
      <strong>{t('NotDelivered')}</strong> {remedy()}
    </span>
  )
}

export function StatusBadge({ status }: { status: InstanceStatus }) {
  const { t } = useTranslation('home')
  const key = statusKey(status)
  return <Badge isDone={status === 'COMPLETED'}>{key ? t(key) : status}</Badge>
}
