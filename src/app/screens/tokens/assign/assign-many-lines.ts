import { lineKey, type AssignDraft, type AssignLine } from '#app/device/assign-draft.ts'
import { entriesOf } from '#contract/rules/address-list.ts'
import { judgeAddresses, type JudgedAddress } from '#contract/rules/addresses.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { holdersOf, type TokenList } from '#app/screens/tokens/token-holders.ts'

export interface ListedAddress extends JudgedAddress {
  /** what became of it, where it was sent before */
  line: AssignLine | undefined
  /** as it stood beside the address */
  name: string | undefined
}

/** The tokens as they were last read, and when (epoch ms). */
export interface TokensRead {
  list: TokenList
  at: number
}

/** What went out after the tokens were read: it has taken its token already. */
export function sentSince(lines: AssignDraft['lines'], at: number): AssignDraft['lines'] {
  return Object.fromEntries(Object.entries(lines).filter(([, line]) => line.outcome === 'sent' && line.at > at))
}

export function tokensLeft({ lines }: AssignDraft, { list, at }: TokensRead): number {
  return Math.max(0, list.available - Object.keys(sentSince(lines, at)).length)
}

/**
 * The draft's addresses, judged by the tokens as last read and by what was sent since: what went out after the reading
 * has taken its token already, and what the reading no longer shows was taken back and may go again.
 */
export function linesOf(draft: AssignDraft, own: string, tokens: TokensRead): ListedAddress[] {
  const { text, assessmentId, lines } = draft
  const { list, at } = tokens
  const entries = entriesOf(text)
  const addresses = entries.map((entry) => entry.text)
  const lineOf = (account: string): AssignLine | undefined => lines[lineKey(assessmentId, account)]
  const allocated = holdersOf(list.tokens, assessmentId)
  const listed = holdersOf(list.tokens, assessmentId, ['PENDING', 'COMPLETED'])
  const [sent, refused] = [new Set<string>(), new Set<string>()]
  for (const account of addresses.map(normalEmail)) {
    const line = lineOf(account)
    const isNewer = line !== undefined && line.at > at
    // whoever had it may have lost it since
    if (line?.outcome === 'refused' && (line.code !== 'ALREADY_ALLOCATED' || isNewer || allocated.has(account))) refused.add(account)
    // an answer that was lost is found in the rows
    else if (line && (isNewer ? line.outcome === 'sent' : listed.has(account))) sent.add(account)
  }
  const facts = { own: normalEmail(own), available: tokensLeft(draft, tokens), allocated, sent, refused }
  return judgeAddresses(addresses, facts).map((judged, place) => ({ ...judged, name: entries[place]?.name, line: lineOf(judged.account) }))
}

/** Those that Send would send now. */
export function readyOf(listed: readonly ListedAddress[]): string[] {
  return listed.filter(({ verdict }) => verdict === 'ready').map(({ account }) => account)
}

/** "12 sent, 2 not"; an address that stands twice counts once. */
export function outcomeOf(listed: readonly ListedAddress[]): { sent: number; left: number } {
  const once = listed.filter(({ verdict }) => verdict !== 'duplicate')
  const sent = once.filter(({ verdict }) => verdict === 'sent').length
  return { sent, left: once.length - sent }
}
