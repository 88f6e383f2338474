import { NotDelivered, StatusBadge } from '#app/parts/dashboard/status-badge.tsx'
import { BOUNCE_REASONS, INSTANCE_STATUSES, INVITATION_STATES } from '#contract/rules/statuses.ts'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () =>
    INSTANCE_STATUSES.map((status) => (
      <p key={status}>
        <StatusBadge status={status} />
      </p>
    )),
  Error: () =>
    INVITATION_STATES.map((state) => (
      <p key={state}>
        <NotDelivered invitation={state} />
      </p>
    )),
  Filled: () =>
    BOUNCE_REASONS.map((why) => (
      <p key={why}>
        <NotDelivered invitation="refused" bounced={{ at: '2026-01-15T12:40:00.000Z', why }} />
      </p>
    )),
  LongWords: () => <NotDelivered invitation="given-up" heldUntil="2026-01-15T12:40:00.000Z" />,
}
