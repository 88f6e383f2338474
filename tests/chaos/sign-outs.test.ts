import { expect, it } from 'vitest'
import { ALL_ANSWERS, scenario, shownIn, tap, unsentIn } from './scenario.ts'

/** Answers that are unsent, or being sent, at a sign-out. */

it.each([
  ['the server ends the session at the sign-out', undefined],
  ['the sign-out does not reach the server', 'cut'],
] as const)('waiting answers are not sent as those of the next person who signs in: %s', (_, logout) =>
  scenario(async ({ clock, api, phone, faults, tabs: [first], accountValue }) => {
    faults.byPath.set('assessment/assessment-instance/responses', 'slow')
    if (logout) faults.byPath.set('user/auth/logout', logout)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(1200)
    // the first save is on its way; this answer goes with the next
    tap(first, 'p2', { p2: 'B' })
    await clock.until(
      first.page.signOutAs(async () => 'keep'),
      5000,
    )
    await clock.until(first.page.signIn(api.credentials('ben')), 2000)
    expect([first.page.userId(), accountValue('p1')]).toEqual(['ben', undefined])
    faults.byPath.clear()
    await clock.advance(60_000)
    expect([api.foreign, accountValue('p2')]).toEqual([[], undefined])
    expect(phone.rows('answers').map(({ userId, questionId }) => [userId, questionId])).toContainEqual(['ana', 'p2'])
  }),
)

it('a reply to a Discard that arrives after the sign-out leaves nothing on the device', () =>
  scenario(async ({ clock, api, phone, faults, tabs: [first, second], accountValue }) => {
    second.kill()
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(10_000)
    api.refused.add('p2')
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(10_000)
    faults.byPath.set('assessment', 'slow')
    faults.byPath.set('user/auth/logout', 'cut')
    const edits = unsentIn(first)
    const discarding = Promise.allSettled([first.page.shown()?.discardUnsent(edits, false)])
    await clock.until(
      first.page.signOutAs(() => Promise.resolve('keep' as const)),
      5000,
    )
    expect([first.page.status(), accountValue('p1')]).toEqual(['guest', { p1: 'A' }])
    await clock.until(discarding, 30_000)
    expect(await discarding).toMatchObject([{ status: 'rejected' }])
    expect(phone.rows('answers').filter(({ questionId }) => questionId !== 'p2')).toEqual([])
  }))

it.each(['a save', 'a Submit'])('a reply to %s that arrives after a sign-out that kept it leaves nothing on the device', (sent) =>
  scenario(async ({ clock, phone, faults, tabs: [first, second], accountValue }) => {
    second.kill()
    if (sent === 'a Submit') for (const [questionId, value] of Object.entries(ALL_ANSWERS)) tap(first, questionId, value)
    await clock.advance(10_000)
    faults.byPath.set('user/auth/logout', 'cut')
    faults.byPath.set('assessment/assessment-instance', 'slow')
    if (sent === 'a Submit') void first.page.shown()?.submit()
    else tap(first, 'p1', { p1: 'B' })
    await clock.advance(1200)
    // the account has completed it, and its result is on its way
    const isOnItsWay = () =>
      sent !== 'a Submit' || phone.rows<{ finish: string | null }>('instances').every(({ finish }) => finish === 'results')
    while (!isOnItsWay()) await clock.advance(100)
    await clock.until(
      first.page.signOutAs(() => Promise.resolve('keep' as const)),
      5000,
    )
    expect([first.page.status(), phone.rows('instances').length]).toEqual(['guest', 1])
    await clock.advance(60_000)
    expect(accountValue('p1')).toEqual({ p1: sent === 'a Submit' ? 'A' : 'B' })
    expect([phone.rows('answers'), phone.rows('receipts'), phone.rows('instances')]).toEqual([[], [], []])
  }),
)

it('a reply to a save of one tab that arrives after a sign-out in another leaves nothing on the device', () =>
  scenario(async ({ clock, phone, faults, tabs: [first, second], accountValue }) => {
    await clock.advance(10_000)
    faults.byPath.set('user/auth/logout', 'cut')
    faults.byPath.set('assessment/assessment-instance', 'slow')
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(1200)
    await clock.until(
      second.page.signOutAs(() => Promise.resolve('keep' as const)),
      5000,
    )
    expect([first.page.status(), accountValue('p1')]).toEqual(['guest', undefined])
    await clock.advance(60_000)
    expect(accountValue('p1')).toEqual({ p1: 'A' })
    expect([phone.rows('answers'), phone.rows('receipts'), phone.rows('instances')]).toEqual([[], [], []])
  }))

it.each([true, false])(
  'a database that is deleted at any moment of a sign-out brings back no discarded answer from another tab: online %s',
  { timeout: 120_000 },
  async (isOnline) => {
    // the clearing ends between these moments
    for (let ms = 10; ms <= 60; ms += 1)
      await scenario(async ({ clock, api, phone, faults, tabs: [first, second], accountValue }) => {
        phone.setOnline(false)
        tap(second, 'p1', { p1: 'A' })
        await clock.advance(3000)
        faults.byPath.set('assessment/assessment-instance', 'cut')
        phone.setOnline(isOnline)
        const signedOut = first.page.signOutAs(() => Promise.resolve('discard' as const))
        await clock.advance(ms)
        phone.deleteDatabase('touchline')
        await clock.until(signedOut, 20_000)
        await clock.advance(10_000)
        expect([first.page.status(), second.page.status(), phone.rows('answers')], `after ${ms} ms`).toEqual(['guest', 'guest', []])
        faults.byPath.clear()
        phone.setOnline(true)
        await clock.until(first.page.signIn(api.credentials('ana')), 5000)
        await clock.advance(120_000)
        expect([accountValue('p1'), shownIn(second, 'p1')], `after ${ms} ms`).toEqual([undefined, undefined])
      })
  },
)

it.each([
  ['discard', 0],
  ['keep', 1],
] as const)('a page that is left while the server is told of the sign-out has signed out: %s', (choice, left) =>
  scenario(async ({ clock, api, phone, faults, tabs: [first, second], accountValue }) => {
    second.kill()
    phone.setOnline(false)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(3000)
    faults.byPath.set('user/auth/logout', 'slow')
    faults.byPath.set('assessment/assessment-instance/responses', 'cut')
    phone.setOnline(true)
    void first.page.signOutAs(() => Promise.resolve(choice))
    await clock.advance(1000)
    first.kill()
    faults.byPath.clear()
    const next = phone.open()
    await clock.until(next.open(), 5000)
    await clock.advance(60_000)
    expect([next.page.status(), phone.rows('answers').length, accountValue('p1')]).toEqual(['guest', left, undefined])
    await clock.until(next.page.signIn(api.credentials('ana')), 5000)
    await clock.advance(60_000)
    expect(accountValue('p1')).toEqual(choice === 'keep' ? { p1: 'A' } : undefined)
  }),
)
