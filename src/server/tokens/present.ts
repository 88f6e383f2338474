import type { ReplyOf } from '#contract/endpoint.ts'
import type { TokenRow, tokens } from '#contract/tokens.ts'
import { isPlayerShown } from '../instances/store.ts'
import type { GivenInstance, Tokens } from './store.ts'

/** Pending ones, one row for each unused token, completed ones: numbered through. §3 Token row, ruling 31 */
export function presentTokens({ total, used, given }: Tokens): ReplyOf<typeof tokens.list> {
  const available = total - used
  const pending = given.filter((one) => one.status !== 'COMPLETED')
  const completed = given.filter((one) => one.status === 'COMPLETED')
  const rows = [...pending.map(presentGiven), ...Array.from({ length: available }, () => UNUSED), ...completed.map(presentGiven)]
  return { total, used, available, tokens: rows.map((row, index) => ({ index: index + 1, ...row })) }
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
}

function presentGiven(given: GivenInstance): Unnumbered {
  const { id, status, email, invitedAt, allocatedAt, assessmentId, userId } = given
  return {
    status: status === 'COMPLETED' ? 'COMPLETED' : 'PENDING',
    // '' once its player's account is erased
    assignedTo: email || null,
    dateSent: (invitedAt ?? allocatedAt)?.toISOString() ?? null,
    assessmentId,
    userId: email && isPlayerShown(given) ? userId : null,
    instanceId: id,
    instanceStatus: status,
  }
}
