import type { Language } from '#contract/languages.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { TokenRow, tokens } from '#contract/tokens.ts'
import { presentBounce, presentHeldUntil } from '../instances/present.ts'
import { isPlayerShown } from '../instances/store.ts'
import type { SpentOn, Tokens } from '../ledger/store.ts'
import { wordsOf } from '../words/words.ts'

/** Pending tokens, then a row for each unused one, then completed ones; numbered consecutively; all, or one page. TOKENS-18, TOKENS-19 */
export function presentTokens(
  { total, used, owed, spentOn }: Tokens,
  language: Language,
  { page = 1, limit }: QueryOf<typeof tokens.list> = {},
): ReplyOf<typeof tokens.list> {
  const available = total - used
  const pending = spentOn.filter((one) => one.status !== 'COMPLETED')
  const completed = spentOn.filter((one) => one.status === 'COMPLETED')
  const all = [...pending, ...Array.from({ length: available }, () => null), ...completed]
  const first = limit === undefined ? 0 : (page - 1) * limit
  const rows = all.slice(first, limit === undefined ? undefined : first + limit)
  return {
    total,
    used,
    available,
    owed,
    tokens: rows.map((one, place) => ({ index: first + place + 1, ...(one ? presentSpent(one, language) : UNUSED) })),
  }
}

type Unnumbered = Omit<TokenRow, 'index'>

const UNUSED: Unnumbered = {
  status: 'AVAILABLE',
  assignedTo: null,
  assignedName: null,
  dateSent: null,
  assessmentId: null,
  userId: null,
  instanceId: null,
  instanceStatus: null,
  invitation: null,
  heldUntil: null,
  bounced: null,
}

function presentSpent(spentOn: SpentOn, language: Language): Unnumbered {
  const { id, status, email, invitedAt, allocatedAt, assessmentId, userId, invitation, heldUntil, bouncedAt, bouncedWhy } = spentOn
  return {
    status: status === 'COMPLETED' ? 'COMPLETED' : 'PENDING',
    // '' if the player's account has been erased
    assignedTo: email || null,
    assignedName: nameOf(spentOn, language),
    dateSent: (invitedAt ?? allocatedAt)?.toISOString() ?? null,
    assessmentId,
    userId: email && !spentOn.player?.deactivatedAt && isPlayerShown(spentOn) ? userId : null,
    instanceId: id,
    instanceStatus: status,
    invitation,
    heldUntil: presentHeldUntil(invitation, heldUntil),
    bounced: presentBounce(bouncedAt, bouncedWhy),
  }
}

/** The player's name as in the team table: the one that the coach typed, until the player's own is shown; “Closed account” while it is closed. */
function nameOf({ player, email, playerName, ...instance }: SpentOn, language: Language): string | null {
  if (email === '') return wordsOf(language).server['DeletedPlayer'] ?? null
  // checked before the account: a coach must not learn whether an unopened invitation's address has one (PRIVACY-3)
  if (!isPlayerShown(instance)) return playerName
  if (player?.deactivatedAt) return wordsOf(language).server['ClosedAccount'] ?? null
  return [player?.firstName, player?.lastName].filter(Boolean).join(' ') || playerName
}
