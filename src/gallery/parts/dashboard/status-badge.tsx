import { NotDelivered, StatusBadge } from '#app/parts/dashboard/status-badge.tsx'
import { INSTANCE_STATUSES, INVITATION_STATES } from '#contract/rules/statuses.ts'
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
  LongWords: () => <NotDelivered invitation="given-up" heldUntil="2026-01-15T12:40:00.000Z" />,
}
