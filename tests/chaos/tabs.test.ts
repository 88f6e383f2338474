import { expect, it } from 'vitest'
import { disk } from './screens/disk.ts'
import type { Tab } from './screens/tab.ts'
import { ALL_ANSWERS, shownIn, scenario, tap } from './scenario.ts'

/** Answers in two tabs of one phone. */

it('if the disk refuses two answers given in two tabs, both tabs keep the later one', () =>
  scenario(async ({ clock, phone, tabs: [first, second], accountValue }) => {
    phone.setOnline(false)
    disk.isFull = true
    tap(second, 'p1', { p1: 'A' })
    await clock.advance(700)
    tap(first, 'p1', { p1: 'B' })
    await clock.advance(700)
    expect(shownIn(second, 'p1')).toEqual({ p1: 'B' })
    // the tab in which it was given is closed: the other has it too
    first.kill()
    disk.isFull = false
    await clock.advance(5000)
    expect(phone.rows('answers')).toMatchObject([{ questionId: 'p1', value: { p1: 'B' } }])
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(accountValue('p1')).toEqual({ p1: 'B' })
  }))

it.each([0, 0.1, 0.2, 0.3])('two tabs in which two questions are answered %f ms apart both show both answers', (ms) =>
  scenario(async ({ clock, phone, tabs: [first, second] }) => {
    phone.setOnline(false)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(ms)
    tap(second, 'p2', { p2: 'B' })
    await clock.advance(5000)
    for (const tab of [first, second]) expect([shownIn(tab, 'p1'), shownIn(tab, 'p2')]).toEqual([{ p1: 'A' }, { p2: 'B' }])
  }),
)

it('an answer that a tab could not write does not replace a later one that another tab wrote', () =>
  scenario(async ({ clock, phone, tabs: [first, second], accountValue }) => {
    phone.setOnline(false)
    disk.isFull = true
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(500)
    disk.isFull = false
    tap(second, 'p1', { p1: 'B' })
    await clock.advance(10_000)
    expect(phone.rows('answers')).toMatchObject([{ questionId: 'p1', value: { p1: 'B' } }])
    expect(shownIn(first, 'p1')).toEqual({ p1: 'B' })
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(accountValue('p1')).toEqual({ p1: 'B' })
  }))

it('an answer sent directly while the disk is full, and delayed, does not replace a later one in the account', () =>
  scenario(async ({ clock, faults, tabs: [first, second], accountValue }) => {
    disk.isFull = true
    faults.byPath.set('assessment/assessment-instance/responses', 'slow')
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(500)
    // on its way for up to ten seconds
    disk.isFull = false
    faults.byPath.clear()
    tap(second, 'p1', { p1: 'B' })
    await clock.advance(60_000)
    expect(accountValue('p1')).toEqual({ p1: 'B' })
    expect([first, second].map((tab) => shownIn(tab, 'p1'))).toEqual([{ p1: 'B' }, { p1: 'B' }])
  }))

it('a tab that was opened while the disk was full shows what another tab writes later, even if the account has it already', () =>
  scenario(async ({ clock, api, phone, tabs: [first, second], accountValue }) => {
    second.kill()
    phone.setOnline(false)
    tap(first, 'p1', { p1: 'B' })
    await clock.advance(1000)
    disk.isFull = true
    tap(first, 'p1', { p1: 'A' })
    phone.setOnline(true)
    await clock.advance(30_000)
    expect(accountValue('p1')).toEqual({ p1: 'A' })
    phone.setOnline(false)
    const third = phone.open()
    await clock.until(third.open(), 5000)
    third.page.openTest(api.account('ana').instanceId)
    await clock.advance(1000)
    expect(shownIn(third, 'p1')).toEqual({ p1: 'B' })
    disk.isFull = false
    await clock.advance(10_000)
    expect(phone.rows('answers')).toMatchObject([{ questionId: 'p1', value: { p1: 'A' } }])
    expect(shownIn(third, 'p1')).toEqual({ p1: 'A' })
  }))

it.each([true, false])(
  'a late answer that is resolved in one tab is offered in no other, even without a connection: restored %s',
  (isRestored) =>
    scenario(async ({ clock, api, phone, tabs: [first, second], accountValue }) => {
      phone.setOnline(false)
      tap(first, 'p1', { p1: 'A' })
      await clock.advance(1000)
      while (!accountValue('p1'))
        await clock.until(
          api.answerElsewhere('ana', (id) => (id === 'p1' ? { p1: 'B' } : ALL_ANSWERS[id]) ?? {}),
          1000,
        )
      phone.setOnline(true)
      await clock.advance(30_000)
      const lateIn = (tab: Tab) => tab.page.shown()?.answers.snapshot().late
      expect([first, second].map(lateIn)).toMatchObject([[{ questionId: 'p1' }], [{ questionId: 'p1' }]])
      phone.setOnline(false)
      await clock.until(first.page.shown()?.resolveLate('p1', isRestored) ?? Promise.resolve(), 5000)
      await clock.advance(5000)
      expect([first, second].map(lateIn)).toEqual([[], []])
      const settled = { p1: isRestored ? 'A' : 'B' }
      expect([first, second].map((tab) => shownIn(tab, 'p1'))).toEqual([settled, settled])
    }),
)
