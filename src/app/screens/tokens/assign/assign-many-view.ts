import { likelyMeant } from '#contract/rules/address-slips.ts'
import type { AddressVerdict } from '#contract/rules/addresses.ts'
import type { ListedAddress } from './assign-many-lines.ts'

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
