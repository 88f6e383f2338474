import { lineKey, type AssignDraft, type AssignLine } from '#app/device/assign-draft.ts'
import { entriesOf } from '#contract/rules/address-list.ts'
import { judgeAddresses, type JudgedAddress, type AddressVerdict } from '#contract/rules/addresses.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { holdersOf, type TokenList } from '#app/screens/tokens/token-holders.ts'
import { likelyMeant } from '#contract/rules/address-slips.ts'

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
    // an allocation whose reply was lost is found in the rows
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

/** Which lines of a long list are drawn: a few hundred at once are too many to look through. */

export const LINE_VIEWS = ['mend', 'check', 'noToken', 'ready', 'sent', 'twice', 'all'] as const
export type LineView = (typeof LINE_VIEWS)[number]

/** So many are looked through at once. */
const SHORT = 20

const VIEW_OF: Record<AddressVerdict, LineView> = {
  ready: 'ready',
  sent: 'sent',
  noToken: 'noToken',
  refused: 'mend',
  allocated: 'mend',
  own: 'mend',
  // its first line is the one that counts
  duplicate: 'twice',
  invalid: 'mend',
}

export function viewOf({ verdict, line, text }: ListedAddress): LineView {
  if (verdict !== 'ready') return VIEW_OF[verdict]
  // tried, and worth another try
  if (line?.code !== undefined) return 'mend'
  return likelyMeant(text) === undefined ? 'ready' : 'check'
}

export interface Line {
  one: ListedAddress
  /** its place in the whole list, from 0 */
  at: number
}

export interface Lines {
  counts: Record<LineView, number>
  /** undefined: a short list, all of which is there */
  view: LineView | undefined
  shown: readonly Line[]
}

/** @param wanted what the coach has chosen to see; else what is to be mended, and then what looks like a slip */
export function linesToShow(listed: readonly ListedAddress[], wanted: LineView | undefined): Lines {
  const lines = listed.map((one, at) => ({ one, at }))
  const views = listed.map(viewOf)
  const counts = { mend: 0, check: 0, noToken: 0, ready: 0, sent: 0, twice: 0, all: listed.length }
  for (const view of views) counts[view] += 1
  if (listed.length <= SHORT) return { counts, view: undefined, shown: lines }
  const view = wanted ?? (counts.mend === 0 && counts.check > 0 ? 'check' : 'mend')
  return { counts, view, shown: view === 'all' ? lines : lines.filter(({ at }) => views[at] === view) }
}

/** The list without what went out, to be mended or copied. */
export function restOf(listed: readonly ListedAddress[]): string {
  const rest = listed.filter(({ verdict }) => verdict !== 'sent' && verdict !== 'duplicate')
  return rest.map(({ text, name }) => (name === undefined ? text : `${name} <${text}>`)).join('\n')
}
