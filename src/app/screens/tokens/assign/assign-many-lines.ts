import { isAfter } from '#app/device-clock.ts'
import { formatCount } from '#app/i18n/figures.ts'
import type { Translation } from '#app/i18n/use-translation.ts'
import { lineKey, type AssignDraft, type AssignLine } from '#app/device/assign-draft.ts'
import { entriesOf } from '#contract/rules/address-list.ts'
import { judgeAddresses, type JudgedAddress, type AddressVerdict } from '#contract/rules/addresses.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { holdersOf, type TokenList } from '#app/screens/tokens/token-holders.ts'
import { suggestAddress } from '#contract/rules/address-typos.ts'

export interface ListedAddress extends JudgedAddress {
  /** the stored outcome, if sending it was tried */
  line: AssignLine | undefined
  /** written beside the address, as in "Ana <ana@club.test>" */
  name: string | undefined
}

/** The tokens as last read, and when that was requested (epoch ms). */
interface TokensRead {
  list: TokenList
  at: number
}

/** Whether the tokens, read at this time, cannot show what became of a line. */
const isNewer = (line: AssignLine, at: number) => isAfter(line.readAt ?? line.at, at)

/** The lines sent after the tokens were read: each has used a token that the list may still count as available. */
export function sentSince(lines: AssignDraft['lines'], at: number): AssignDraft['lines'] {
  return Object.fromEntries(Object.entries(lines).filter(([, line]) => line.outcome === 'sent' && isNewer(line, at)))
}

export function tokensLeft({ lines }: AssignDraft, { list, at }: TokensRead): number {
  const held = new Set(
    list.tokens.flatMap((row) => (row.status === 'PENDING' ? lineKey(row.assessmentId ?? '', normalEmail(row.assignedTo ?? '')) : [])),
  )
  // what was sent while they were read may be among them
  const unseen = Object.keys(sentSince(lines, at)).filter((key) => !held.has(key))
  return Math.max(0, list.available - unseen.length)
}

/**
 * The draft's addresses with their verdicts, from the tokens as last read and what was sent since. An address that was sent before
 * the tokens were read but is not among them was reclaimed and may be sent again.
 */
export function linesOf(draft: AssignDraft, own: string, tokens: TokensRead): ListedAddress[] {
  const { text, assessmentId, lines } = draft
  const { list, at } = tokens
  const entries = entriesOf(text)
  const addresses = entries.map((entry) => entry.text)
  const lineOf = (account: string): AssignLine | undefined => lines[lineKey(assessmentId, account)]
  const allocated = holdersOf(list.tokens, assessmentId)
  const listed = holdersOf(list.tokens, assessmentId, ['PENDING', 'COMPLETED'])
  const sent = new Set<string>()
  const refused = new Set<string>()
  for (const account of addresses.map(normalEmail)) {
    const line = lineOf(account)
    const isUnread = line !== undefined && isNewer(line, at)
    // 'already allocated' holds only while the tokens show it: it may have been reclaimed
    if (line?.outcome === 'refused' && (line.code !== 'ALREADY_ALLOCATED' || isUnread || allocated.has(account))) refused.add(account)
    // an allocation whose reply was lost shows among the tokens
    else if (line && (isUnread ? line.outcome === 'sent' : listed.has(account))) sent.add(account)
  }
  const facts = { own: normalEmail(own), available: tokensLeft(draft, tokens), allocated, sent, refused }
  return judgeAddresses(addresses, facts).map((judged, place) => {
    const line = lineOf(judged.account)
    // there is a token for it now: it is as if it had not been tried
    const isOver = judged.verdict === 'ready' && line?.code === 'NO_TOKENS_AVAILABLE' && !isNewer(line, at)
    return { ...judged, name: entries[place]?.name, line: isOver ? undefined : line }
  })
}

/** The accounts that Send would send to now. */
export function readyOf(addresses: readonly ListedAddress[]): string[] {
  return addresses.filter(({ verdict }) => verdict === 'ready').map(({ account }) => account)
}

/** The counts for "12 sent, 2 not"; a duplicate address counts once. `unsure`: those of `left` that may have been sent. */
export function sentAndLeft(addresses: readonly ListedAddress[]): { sent: number; left: number; unsure: number } {
  const once = addresses.filter(({ verdict }) => verdict !== 'duplicate')
  const sent = once.filter(({ verdict }) => verdict === 'sent').length
  const unsure = once.filter(({ verdict, line }) => verdict !== 'sent' && line?.outcome === 'unknown').length
  return { sent, left: once.length - sent, unsure }
}

/** Whether a line is left that says why a run was cut short. */
export function saysWhy(addresses: readonly ListedAddress[]): boolean {
  return addresses.some(({ verdict, line }) => verdict === 'noToken' || (verdict === 'ready' && line?.code !== undefined))
}

/** What became of the list. */
export function resultText(addresses: readonly ListedAddress[], t: Translation['t']): string {
  const { sent, left, unsure } = sentAndLeft(addresses)
  const counts = { sent: formatCount(sent), left: formatCount(left - unsure) }
  return unsure === 0 ? t('AssignManyResult', counts) : t('AssignManyResultUnsure', { ...counts, unsure: formatCount(unsure) })
}

/** A long list shows one group of its lines at a time. correct: to be corrected; retry: failed; check: perhaps mistyped. */
export const LINE_VIEWS = ['correct', 'retry', 'check', 'noToken', 'ready', 'sent', 'duplicate', 'all'] as const
export type LineView = (typeof LINE_VIEWS)[number]

/** Up to this many lines are all shown at once. */
const SHORT_LIST = 20

const VIEW_OF: Record<AddressVerdict, LineView> = {
  ready: 'ready',
  sent: 'sent',
  noToken: 'noToken',
  refused: 'correct',
  allocated: 'correct',
  own: 'correct',
  // its first line has the verdict
  duplicate: 'duplicate',
  invalid: 'correct',
}

/** Whether the run that began at this time has stored the line. */
export const isOfRun = (line: AssignLine, runSince: number) => !isAfter(runSince, line.at)

/** Whether the line's call is under way, in the run that began at this time. Without a code in another run: the page was closed meanwhile. */
export function isBeingSent(line: AssignLine, runSince: number | undefined): boolean {
  return line.outcome === 'unknown' && line.code === undefined && runSince !== undefined && isOfRun(line, runSince)
}

function viewOf({ verdict, line, text }: ListedAddress, runSince: number | undefined): LineView {
  if (verdict !== 'ready') return VIEW_OF[verdict]
  if (line && (line.code !== undefined || (line.outcome === 'unknown' && !isBeingSent(line, runSince)))) return 'retry'
  return suggestAddress(text) === undefined ? 'ready' : 'check'
}

interface Line {
  address: ListedAddress
  /** its index in the whole list */
  at: number
}

interface Lines {
  counts: Record<LineView, number>
  /** undefined for a short list, which shows all lines */
  view: LineView | undefined
  shown: readonly Line[]
}

/** What is shown first of what there is; with none of it nothing is, as nothing needs the coach. */
const FIRST_VIEWS = ['correct', 'retry', 'check', 'noToken'] as const
/** The lines that say why come first, and there are always lines. */
const FIRST_VIEWS_AFTER_STOP = ['retry', 'noToken', 'correct', 'check', 'ready'] as const

interface Run {
  isCutShort?: boolean
  /** epoch ms: when the run that lasts began */
  runSince?: number | undefined
}

/** @param wanted the coach's choice, unless it has no lines left */
export function linesToShow(
  addresses: readonly ListedAddress[],
  wanted: LineView | undefined,
  { isCutShort = false, runSince }: Run = {},
): Lines {
  const lines = addresses.map((address, at) => ({ address, at }))
  const views = addresses.map((address) => viewOf(address, runSince))
  const counts = { correct: 0, retry: 0, check: 0, noToken: 0, ready: 0, sent: 0, duplicate: 0, all: addresses.length }
  for (const view of views) counts[view] += 1
  if (addresses.length <= SHORT_LIST) return { counts, view: undefined, shown: lines }
  const byDefault = (isCutShort ? FIRST_VIEWS_AFTER_STOP : FIRST_VIEWS).find((one) => counts[one] > 0) ?? 'correct'
  const view = wanted !== undefined && counts[wanted] > 0 ? wanted : byDefault
  return { counts, view, shown: view === 'all' ? lines : lines.filter(({ at }) => views[at] === view) }
}

/** The text of the lines that were not sent, to correct or copy. */
export function restOf(addresses: readonly ListedAddress[]): string {
  const rest = addresses.filter(({ verdict }) => verdict !== 'sent' && verdict !== 'duplicate')
  return rest.map(({ text, name }) => (name === undefined ? text : `${name} <${text}>`)).join('\n')
}

/**
 * The stored text with the lines that one tab has changed of its own, `before` to `after`: another tab may have changed the stored one since,
 * and what it added or deleted stays so.
 */
export function mergedText(stored: string, before: string, after: string): string {
  if (before === after) return stored
  if (stored === before) return after
  const theirs = textLines(stored)
  const old = textLines(before)
  const own = textLines(after)
  const deleted = new Set(old.filter((line) => !own.includes(line)))
  const added = own.filter((line) => !old.includes(line))
  // in the place of the first deleted line, else at the end
  const place = theirs.findIndex((line) => deleted.has(line))
  if (place === -1) return [...theirs, ...added].join('\n')
  const rest = theirs.slice(place).filter((line) => !deleted.has(line))
  return [...theirs.slice(0, place), ...added, ...rest].join('\n')
}

const textLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

/** Whether the tokens were read after this line was sent, and the line does not say so yet, or says it with a later time, of a clock that was set back. */
export const isReadBy = ({ at: sentAt, readAt }: AssignLine, at: number) =>
  readAt === undefined ? !isAfter(sentAt, at) : at < readAt && !isAfter(readAt, at)

/** Notes on every such line that the tokens were read after it. */
export function withRead(draft: AssignDraft, at: number): AssignDraft {
  const noted = (line: AssignLine): AssignLine => (isReadBy(line, at) ? { ...line, readAt: at } : line)
  return { ...draft, lines: Object.fromEntries(Object.entries(draft.lines).map(([key, line]) => [key, noted(line)])) }
}
