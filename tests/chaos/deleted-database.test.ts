import { expect, it } from 'vitest'
import { disk } from './screens/disk.ts'
import { shownIn, scenario, tap, type Scenario } from './scenario.ts'
import type { Tab } from './screens/tab.ts'

/** The browser deletes the database under open pages, as when site data is cleared. */

/** Opens a tab whose first check after a deletion still reads the old database: its other connection was opened first, on the dashboard. */
async function openFromDashboard({ clock, api, phone }: Pick<Scenario, 'clock' | 'api' | 'phone'>): Promise<Tab> {
  const tab = phone.open()
  await clock.until(tab.open(), 5000)
  tab.page.openHome()
  await clock.advance(5000)
  tab.page.openTest(api.account('ana').instanceId)
  await clock.advance(5000)
  return tab
}

it.each([0, 5])('deleting the database under two open tabs removes no answer from their screens: %i ms after a tap', (ms) =>
  scenario(async ({ clock, phone, tabs: [first, second], accountValue }) => {
    phone.setOnline(false)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(1000)
    tap(second, 'l1', { l1: '4' })
    await clock.advance(ms)
    phone.deleteDatabase('touchline')
    // the new database has this answer only, and the other tab may hear of it before it checks what is left
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(10_000)
    for (const tab of [first, second])
      expect(['p1', 'p2', 'l1'].map((id) => shownIn(tab, id))).toEqual([{ p1: 'A' }, { p2: 'B' }, { l1: '4' }])
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(['p1', 'p2', 'l1'].map(accountValue)).toEqual([{ p1: 'A' }, { p2: 'B' }, { l1: '4' }])
  }),
)

it('an answer given while the database is deleted stays, even if another tab stores the assessment again before its own tab checks', () =>
  scenario(async ({ clock, api, phone, tabs: [first], accountValue }) => {
    const third = await openFromDashboard({ clock, api, phone })
    phone.setOnline(false)
    phone.deleteDatabase('touchline')
    tap(third, 'p1', { p1: 'A' })
    await clock.advance(1)
    tap(third, 'p2', { p2: 'B' })
    await clock.advance(10_000)
    expect(phone.rows('answers').map(({ questionId }) => questionId)).toEqual(['p1', 'p2'])
    for (const tab of [first, third]) expect([shownIn(tab, 'p1'), shownIn(tab, 'p2')]).toEqual([{ p1: 'A' }, { p2: 'B' }])
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(['p1', 'p2'].map(accountValue)).toEqual([{ p1: 'A' }, { p2: 'B' }])
  }))

it.each([true, false])(
  'answers given as the database is deleted are not replaced by what another tab stores again: online %s',
  (isOnline) =>
    scenario(async ({ clock, api, phone, tabs: [first, second], accountValue }) => {
      tap(first, 'p2', { p2: 'B' })
      await clock.advance(60_000)
      first.kill()
      const third = await openFromDashboard({ clock, api, phone })
      phone.setOnline(isOnline)
      await clock.advance(5000)
      tap(third, 'l1', { l1: '4' })
      await clock.advance(20)
      phone.deleteDatabase('touchline')
      tap(third, 'p2', { p2: 'A' })
      tap(third, 'p1', { p1: 'B' })
      await clock.advance(20_000)
      for (const tab of [second, third]) expect([shownIn(tab, 'p1'), shownIn(tab, 'p2')]).toEqual([{ p1: 'B' }, { p2: 'A' }])
      phone.setOnline(true)
      await clock.advance(60_000)
      expect(['p1', 'p2'].map(accountValue)).toEqual([{ p1: 'B' }, { p2: 'A' }])
    }),
)

it('signing out a moment after the database was deleted counts the answers on screen', () =>
  scenario(async ({ clock, api, phone, tabs: [first, second] }) => {
    first.kill()
    second.kill()
    const third = await openFromDashboard({ clock, api, phone })
    phone.setOnline(false)
    tap(third, 'p1', { p1: 'A' })
    await clock.advance(700)
    phone.deleteDatabase('touchline')
    await clock.advance(300)
    const found: unknown[] = []
    void third.page.signOutAs(async (waiting) => {
      found.push(waiting)
      return 'stay'
    })
    await clock.advance(1000)
    expect(found).toMatchObject([{ answers: 1 }])
  }))

it('deleting the database loses no answer that another tab has received but cannot show yet', () =>
  scenario(async ({ clock, api, phone, tabs: [first, second], accountValue }) => {
    second.kill()
    phone.setOnline(false)
    disk.isNearlyFull = true
    phone.deleteDatabase('touchline')
    await clock.advance(5000)
    const third = phone.open()
    await clock.until(third.open(), 5000)
    third.page.openTest(api.account('ana').instanceId)
    await clock.advance(5000)
    expect(third.page.shown()?.get().state).toBe('not-on-device')
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(5000)
    first.page.openHome()
    await clock.advance(5000)
    phone.deleteDatabase('touchline')
    await clock.advance(10_000)
    expect(phone.rows('answers')).toMatchObject([{ questionId: 'p1', value: { p1: 'A' } }])
    first.kill()
    disk.isFull = true
    phone.deleteDatabase('touchline')
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(accountValue('p1')).toEqual({ p1: 'A' })
  }))

it.each([0, 1, 2, 5])('deleting the database %i ms after the test screen began to open loses no answer', (ms) =>
  scenario(async ({ clock, api, phone, tabs: [first, second] }) => {
    second.kill()
    phone.setOnline(false)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(5000)
    first.page.openHome()
    await clock.advance(5000)
    first.page.openTest(api.account('ana').instanceId)
    await clock.advance(ms)
    phone.deleteDatabase('touchline')
    await clock.advance(20_000)
    const isKept = phone.rows('answers').some(({ questionId }) => questionId === 'p1')
    // whoever opens it after the deletion is told that nothing is there; whoever sees the answer still has it
    expect(isKept || shownIn(first, 'p1') === undefined).toBe(true)
  }),
)

it('deleting the database while questions are fetched for which it had no room loses no answer', () =>
  scenario(async ({ clock, api, phone, faults, tabs: [first, second], accountValue }) => {
    second.kill()
    phone.setOnline(false)
    disk.isNearlyFull = true
    phone.deleteDatabase('touchline')
    await clock.advance(5000)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(5000)
    first.kill()
    const third = phone.open()
    await clock.until(third.open(), 5000)
    faults.byPath.set('assessment/assessment-instance/responses', 'cut')
    faults.byPath.set('assessment', 'slow')
    phone.setOnline(true)
    third.page.openTest(api.account('ana').instanceId)
    await clock.advance(50)
    expect(third.page.shown()?.get().state).toBe('loading')
    phone.deleteDatabase('touchline')
    await clock.advance(30_000)
    expect([shownIn(third, 'p1'), phone.rows('answers').length]).toEqual([{ p1: 'A' }, 1])
    faults.byPath.clear()
    await clock.advance(60_000)
    expect(accountValue('p1')).toEqual({ p1: 'A' })
  }))
