import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { TokenRow, tokens } from '#contract/tokens.ts'
import { presentHeldUntil } from '../instances/present.ts'
import { isPlayerShown } from '../instances/store.ts'
import type { GivenInstance, Tokens } from './store.ts'

/** Pending ones, one row for each unused token, completed ones: numbered through, and all of them or a page. §3 Token row, ruling 31 */
export function presentTokens(
  { total, used, given }: Tokens,
  { page = 1, limit }: QueryOf<typeof tokens.list> = {},
): ReplyOf<typeof tokens.list> {
  const available = total - used
  const pending = given.filter((one) => one.status !== 'COMPLETED')
  const completed = given.filter((one) => one.status === 'COMPLETED')
  const all = [...pending, ...Array.from({ length: available }, () => null), ...completed]
  const first = limit === undefined ? 0 : (page - 1) * limit
  const rows = all.slice(first, limit === undefined ? undefined : first + limit)
  return {
    total,
    used,
    available,
    tokens: rows.map((one, place) => ({ index: first + place + 1, ...(one ? presentGiven(one) : UNUSED) })),
  }
}

type Unnumbered = Omit<TokenRow, 'index'>

const UNUSED: Unnumbered = {
  status: 'AVAILABLE',
  assignedTo: null,
  dateSent: null,
  assessmentId: null,
  userId: null,
  instanceId: null,
  instanceStatus: null,
  invitation: null,
  heldUntil: null,
}

function presentGiven(given: GivenInstance): Unnumbered {
  const { id, status, email, invitedAt, allocatedAt, assessmentId, userId, isClosed, invitation, heldUntil } = given
  return {
    status: status === 'COMPLETED' ? 'COMPLETED' : 'PENDING',
    // '' once its player's account is erased
    assignedTo: email || null,
    dateSent: (invitedAt ?? allocatedAt)?.toISOString() ?? null,
    assessmentId,
    userId: email && !isClosed && isPlayerShown(given) ? userId : null,
    instanceId: id,
    instanceStatus: status,
    invitation,
    heldUntil: presentHeldUntil(invitation, heldUntil),
  }
}
