import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AssignDraft, AssignLine } from '#app/device/assign-draft.ts'
import {
  linesOf,
  linesToShow,
  mergedText,
  readyOf,
  sentAndLeft,
  sentSince,
  tokensLeft,
  withRead,
} from '#app/screens/tokens/assign/assign-many-lines.ts'
import { holdersOf, type TokenList } from '#app/screens/tokens/token-holders.ts'
import type { TokenRow } from '#contract/tokens.ts'

const none = {
  assignedTo: null,
  dateSent: null,
  assessmentId: null,
  userId: null,
  instanceId: null,
  instanceStatus: null,
  invitation: null,
}
const row = (assignedTo: string, change: Partial<TokenRow> = {}): TokenRow => ({
  ...none,
  index: 1,
  status: 'PENDING',
  assignedTo,
  assessmentId: 'a1',
  instanceStatus: 'ALLOCATED',
  ...change,
})
const available = (count: number): TokenRow[] => Array.from({ length: count }, () => ({ ...none, index: 1, status: 'AVAILABLE' }))
const listOf = (given: TokenRow[], left: number): TokenList => ({
  total: given.length + left,
  used: given.length,
  available: left,
  tokens: [...given, ...available(left)],
})

it('the holders of an assessment are those who have not completed it', () => {
  const completed = { status: 'COMPLETED', instanceStatus: 'COMPLETED' } as const
  const rows = [row('Ana@club.test'), row('ben@club.test', completed), row('cy@club.test', { assessmentId: 'a2' }), ...available(1)]
  expect([...holdersOf(rows, 'a1')]).toEqual(['ana@club.test'])
  expect([...holdersOf(rows, 'a1', ['COMPLETED'])]).toEqual(['ben@club.test'])
})

describe('the lines of a list', () => {
  const line = (outcome: AssignLine['outcome'], at: number): AssignLine => ({ operationId: 'o', outcome, at })
  const draft = (text: string, lines: Record<string, AssignLine> = {}): AssignDraft => ({
    assessmentId: 'a1',
    text,
    language: undefined,
    lines,
  })
  const verdicts = (given: AssignDraft, list: TokenList) =>
    linesOf(given, 'coach@club.test', { list, at: 100 }).map(({ verdict }) => verdict)

  it('a line sent since the tokens were read has taken a token', () => {
    const text = 'ana@club.test, ben@club.test, cy@club.test'
    expect(verdicts(draft(text), listOf([], 2))).toEqual(['ready', 'ready', 'noToken'])
    expect(verdicts(draft(text, { 'a1 ana@club.test': line('sent', 101) }), listOf([], 2))).toEqual(['sent', 'ready', 'noToken'])
    const read = listOf([row('ana@club.test')], 1)
    expect(verdicts(draft(text, { 'a1 ana@club.test': line('sent', 99) }), read)).toEqual(['sent', 'ready', 'noToken'])
  })

  it('lines sent since then are subtracted from the tokens left, even after the list was cleared', () => {
    const lines = {
      'a1 ana@club.test': line('sent', 101),
      'a2 ana@club.test': line('sent', 102),
      'a1 ben@club.test': line('sent', 99),
      'a1 cy@club.test': line('failed', 103),
    }
    const tokens = { list: listOf([row('ben@club.test')], 5), at: 100 }
    expect(tokensLeft(draft('', lines), tokens)).toBe(3)
    expect(tokensLeft(draft('', sentSince(lines, tokens.at)), tokens)).toBe(3)
    expect(tokensLeft(draft('', sentSince(lines, tokens.at)), { list: listOf([], 1), at: 100 })).toBe(0)
    expect(tokensLeft(draft('', lines), { list: listOf([], 3), at: 103 })).toBe(3)
  })

  it('but not those that the tokens show, as they were read while the line was being sent', () => {
    const lines = { 'a1 ana@club.test': line('sent', 101), 'a1 ben@club.test': line('sent', 102) }
    const done = { status: 'COMPLETED', instanceStatus: 'COMPLETED' } as const
    const list = listOf([row('Ana@club.test'), row('ben@club.test', { assessmentId: 'a2' })], 5)
    expect(tokensLeft(draft('', lines), { list, at: 100 })).toBe(4)
    expect(tokensLeft(draft('', lines), { list: listOf([row('ana@club.test', done), row('ben@club.test')], 5), at: 100 })).toBe(4)
  })

  it('tokens read after the clock was set back count what was sent before', () => {
    const sent = { 'a1 ana@club.test': line('sent', Date.now() + 7_200_000) }
    const tokens = { list: listOf([row('ana@club.test')], 3), at: Date.now() - 1000 }
    expect([sentSince(sent, tokens.at), tokensLeft(draft('', sent), tokens)]).toEqual([{}, 3])
    // once that was noted, also when the clock has come to where it was; a tab with an older list counts the token itself
    const noted = { 'a1 ana@club.test': { ...line('sent', 5000), readAt: 4000 } }
    expect(tokensLeft(draft('', noted), { ...tokens, at: 4000 })).toBe(3)
    expect(tokensLeft(draft('', noted), { list: listOf([], 3), at: 3000 })).toBe(2)
  })

  it('the first read by the present clock is noted, and stays when the clock comes to where it was before', () => {
    vi.useFakeTimers({ now: 10_000_000, toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const ahead = 10_000_000 + 600_000
    const sent = draft('', { 'a1 ana@club.test': line('sent', ahead) })
    const readBefore = withRead(sent, ahead + 1000)
    const readSince = withRead(readBefore, 10_000_000)
    vi.setSystemTime(ahead + 60_000)
    const tokens = { list: listOf([], 3), at: 10_000_000 }
    expect([tokensLeft(readBefore, tokens), tokensLeft(readSince, tokens)]).toEqual([2, 3])
    // an older list, of another tab, does not show it
    expect(tokensLeft(readSince, { ...tokens, at: 9_000_000 })).toBe(2)
    expect(withRead(readSince, 10_050_000)).toEqual(readSince)
  })

  it('a line that was completed stays sent, and one that was taken back is ready again', () => {
    const sent = { 'a1 ana@club.test': line('sent', 99) }
    expect(verdicts(draft('ana@club.test', sent), listOf([row('ana@club.test', { status: 'COMPLETED' })], 1))).toEqual(['sent'])
    expect(verdicts(draft('ana@club.test', sent), listOf([], 1))).toEqual(['ready'])
  })

  it('a line refused as ALREADY_ALLOCATED is ready once it was taken back', () => {
    const refused = { 'a1 ana@club.test': { ...line('refused', 99), code: 'ALREADY_ALLOCATED' } }
    expect(verdicts(draft('ana@club.test', refused), listOf([], 1))).toEqual(['ready'])
    expect(verdicts(draft('ana@club.test', refused), listOf([row('ana@club.test')], 1))).not.toEqual(['ready'])
    const forGood = { 'a1 ana@club.test': { ...line('refused', 99), code: 'COACH_ALLOCATION_NOT_ALLOWED' } }
    expect(verdicts(draft('ana@club.test', forGood), listOf([], 1))).not.toEqual(['ready'])
  })

  it('a line without a reply counts as sent when its token row is there', () => {
    const lost = { 'a1 ana@club.test': line('unknown', 99) }
    expect(verdicts(draft('ana@club.test', lost), listOf([row('Ana@club.test')], 1))).toEqual(['sent'])
    const under = { 'a1 ana@club.test': line('failed', 101) }
    expect(verdicts(draft('ana@club.test', under), listOf([], 1))).toEqual(['ready'])
  })

  it('a line that failed or got no reply is ready again, and a refused one is not', () => {
    const lines = {
      'a1 ana@club.test': line('unknown', 101),
      'a1 ben@club.test': line('failed', 101),
      'a1 cy@club.test': line('refused', 101),
    }
    const listed = linesOf(draft('ana@club.test ben@club.test cy@club.test', lines), 'coach@club.test', { list: listOf([], 9), at: 100 })
    expect(readyOf(listed)).toEqual(['ana@club.test', 'ben@club.test'])
    expect(listed[2]).toMatchObject({ verdict: 'refused', line: { outcome: 'refused' } })
  })

  it('that no token was left is not said of a line once the tokens read since have one for it', () => {
    const noToken: AssignLine = { ...line('failed', 99), code: 'NO_TOKENS_AVAILABLE' }
    const given = draft('ana@club.test', { 'a1 ana@club.test': noToken })
    const [read] = linesOf(given, 'coach@club.test', { list: listOf([], 1), at: 100 })
    expect(read).toMatchObject({ verdict: 'ready', line: undefined })
    const [unread] = linesOf(given, 'coach@club.test', { list: listOf([], 1), at: 98 })
    expect(unread).toMatchObject({ verdict: 'ready', line: noToken })
  })

  it('a line sent for one assessment is still ready for another', () => {
    const other = { ...draft('ana@club.test', { 'a1 ana@club.test': line('sent', 101) }), assessmentId: 'a2' }
    expect(verdicts(other, listOf([], 5))).toEqual(['ready'])
  })

  it('lines without a token are not counted as lines to correct', () => {
    const text = ['nobody', ...Array.from({ length: 24 }, (_, at) => `p${at}@club.test`)].join('\n')
    const listed = linesOf(draft(text), 'coach@club.test', { list: listOf([], 4), at: 100 })
    const { counts, shown } = linesToShow(listed, undefined)
    expect(counts).toEqual({ correct: 1, retry: 0, check: 0, noToken: 20, ready: 4, sent: 0, duplicate: 0, all: 25 })
    expect(shown.map(({ address }) => address.text)).toEqual(['nobody'])
    expect(linesToShow(listed, 'noToken').shown).toHaveLength(20)
  })

  describe('of a long list', () => {
    const many = Array.from({ length: 24 }, (_, at) => `p${at}@club.test`)
    const judged = (text: string) => linesOf(draft(text), 'coach@club.test', { list: listOf([], 99), at: 100 })

    it('the counts above agree with the sentence below, and duplicates are not lines to correct', () => {
      const listed = judged(['nobody', 'P0@club.test', ...many, 'p1@club.test'].join('\n'))
      const { counts } = linesToShow(listed, undefined)
      expect(counts).toEqual({ correct: 1, retry: 0, check: 0, noToken: 0, ready: 24, sent: 0, duplicate: 2, all: 27 })
      const { sent, left } = sentAndLeft(listed)
      expect(counts.all - counts.duplicate).toBe(sent + left)
      expect(counts.ready).toBe(readyOf(listed).length)
      expect(linesToShow(listed, 'duplicate').shown.map(({ address }) => address.text)).toEqual(['p0@club.test', 'p1@club.test'])
    })

    it('likely typos are shown first once nothing is left to correct', () => {
      const slip = 'ana@gmial.com'
      const listed = judged([...many, slip].join('\n'))
      expect(linesToShow(listed, undefined).shown.map(({ address }) => address.text)).toEqual([slip])
      expect(readyOf(listed)).toContain(slip)
      const also = linesToShow(judged([...many, slip, 'nobody'].join('\n')), undefined)
      expect(also.counts).toMatchObject({ correct: 1, retry: 0, check: 1, ready: 24 })
      expect(also.shown.map(({ address }) => address.text)).toEqual(['nobody'])
    })

    it('a choice whose last line has gone gives way to lines that there are', () => {
      const listed = judged([...many, 'nobody'].join('\n'))
      expect(linesToShow(listed, 'sent').shown.map(({ address }) => address.text)).toEqual(['nobody'])
    })

    it('a line whose outcome is not known, as the page was closed, is one to try again, unless it is being sent', () => {
      const lines = { 'a1 p3@club.test': line('unknown', 101) }
      const listed = linesOf(draft(many.join('\n'), lines), 'coach@club.test', { list: listOf([], 99), at: 100 })
      const { counts, view, shown } = linesToShow(listed, undefined)
      const { left, unsure } = sentAndLeft(listed)
      expect([counts.retry, counts.ready, view]).toEqual([unsure, left - unsure, 'retry'])
      expect(shown.map(({ address }) => address.text)).toEqual(['p3@club.test'])
      expect(linesToShow(listed, undefined, { runSince: 102 }).counts).toMatchObject({ retry: 1, ready: 23 })
      expect(linesToShow(listed, undefined, { runSince: 101 }).counts).toMatchObject({ retry: 0, ready: 24 })
    })

    it('after a stop the lines that say why come before older faults', () => {
      const lines = { 'a1 p3@club.test': { ...line('failed', 101), code: 'TOO_MANY_REQUESTS' } }
      const listed = linesOf(draft([...many, 'nobody'].join('\n'), lines), 'coach@club.test', { list: listOf([], 99), at: 100 })
      expect(linesToShow(listed, undefined).shown.map(({ address }) => address.text)).toEqual(['nobody'])
      expect(linesToShow(listed, undefined, { isCutShort: true }).shown.map(({ address }) => address.text)).toEqual(['p3@club.test'])
    })

    it('after a stop as no token was left, the lines without one are shown', () => {
      const sent = Object.fromEntries(many.slice(0, 20).map((email) => [`a1 ${email}`, line('sent', 101)]))
      const lines = { ...sent, 'a1 p20@club.test': { ...line('failed', 101), code: 'NO_TOKENS_AVAILABLE' } }
      const listed = linesOf(draft(many.join('\n'), lines), 'coach@club.test', { list: listOf([], 20), at: 100 })
      for (const isCutShort of [true, false]) {
        expect(linesToShow(listed, undefined, { isCutShort }).shown.map(({ address }) => address.text)).toEqual(many.slice(20))
      }
    })

    it('after a stop whose lines all turn out to be sent, those that were not tried are shown', () => {
      const sent = { 'a1 p0@club.test': line('sent', 101) }
      const listed = linesOf(draft(many.join('\n'), sent), 'coach@club.test', { list: listOf([], 99), at: 100 })
      expect(linesToShow(listed, undefined, { isCutShort: true }).shown.map(({ address }) => address.text)).toEqual(many.slice(1))
    })
  })

  it('each address is counted once', () => {
    const text = 'ana@club.test, ANA@club.test, nobody, ben@club.test'
    const listed = linesOf(draft(text, { 'a1 ana@club.test': line('sent', 101) }), 'coach@club.test', { list: listOf([], 9), at: 100 })
    expect(sentAndLeft(listed)).toEqual({ sent: 1, left: 2, unsure: 0 })
  })

  it('an address of which it is unknown whether it was sent is not said to be unsent', () => {
    const known = { 'a1 ana@club.test': line('unknown', 101), 'a1 ben@club.test': line('failed', 101) }
    const listed = linesOf(draft('ana@club.test, ben@club.test', known), 'coach@club.test', { list: listOf([], 9), at: 100 })
    expect(sentAndLeft(listed)).toEqual({ sent: 0, left: 2, unsure: 1 })
  })
})

describe('the texts of two tabs', () => {
  it.each([
    ['what only this tab changed', 'a', 'a', 'a, b', 'a, b'],
    ['what only the other one changed', 'a, c', 'a', 'a', 'a, c'],
    ['what both typed into an empty list', 'one@', '', 'two@', 'one@\ntwo@'],
    ['what was typed on after that', 'one@\ntwo@', 'two@', 'two@, three@', 'one@\ntwo@, three@'],
    ['what was deleted here', 'one@\ntwo@', 'two@', '', 'one@'],
    ['what was deleted there', 'a', 'a\nb', 'a\nb\nc', 'a\nc'],
    ['a line corrected here', 'x\nbad\ny', 'bad\ny', 'good\ny', 'x\ngood\ny'],
    ['a list that was emptied there', '', 'a', 'a, b', 'a, b'],
  ])('%s', (_what, stored, before, after, merged) => {
    expect(mergedText(stored, before, after)).toBe(merged)
  })
})
