import { expect, it } from 'vitest'
import { disk } from './screens/disk.ts'
import { leaveRoomForAnswersOnly, shownIn, scenario, tap, unsentIn, type Scenario } from './scenario.ts'

/** What a player discards is gone everywhere, and nothing else is. ANSWERS-7 */

/** The server refuses an answer that both tabs show. Resolves to its edits in the first. */
async function refusedInBoth({ clock, api, tabs: [first, second] }: Scenario) {
  api.refused.add('p2')
  tap(first, 'p2', { p2: 'B' })
  await clock.advance(30_000)
  expect([shownIn(first, 'p2'), shownIn(second, 'p2')]).toEqual([{ p2: 'B' }, { p2: 'B' }])
  return unsentIn(first)
}

it('Discard without a connection discards nothing, and clears no answer of the account', () =>
  scenario(async ({ clock, api, phone, tabs: [first] }) => {
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(10_000)
    api.refused.add('p2')
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(10_000)
    phone.setOnline(false)
    const shown = first.page.shown()
    const state = shown?.get()
    const edits = state?.state === 'ready' ? state.ready.instance.trouble?.edits : undefined
    expect(edits).toHaveLength(1)
    let isDiscarded: boolean | undefined
    void shown?.discardUnsent(edits, false).then(
      () => {
        isDiscarded = true
      },
      () => {
        isDiscarded = false
      },
    )
    await clock.advance(60_000)
    expect([isDiscarded, shownIn(first, 'p1'), shownIn(first, 'p2')]).toEqual([false, { p1: 'A' }, { p2: 'B' }])
  }))

it('an answer that is discarded while the questions do not fit on the disk disappears from the screens of both tabs', () =>
  scenario(async (given) => {
    const {
      clock,
      phone,
      tabs: [first, second],
    } = given
    await leaveRoomForAnswersOnly({ clock, phone })
    const edits = await refusedInBoth(given)
    expect(edits).toHaveLength(1)
    await clock.until(first.page.shown()?.discardUnsent(edits, false) ?? Promise.resolve(), 10_000)
    await clock.advance(5000)
    expect([shownIn(first, 'p2'), shownIn(second, 'p2')]).toEqual([undefined, undefined])
  }))

it.each([
  ['the disk has no room for the questions', false],
  ['the disk has room', true],
])('an answer that is discarded on a screen left at once disappears from all screens, and does not come back: %s', (_, hasRoom) =>
  scenario(async (given) => {
    const {
      clock,
      api,
      phone,
      tabs: [first, second],
      accountValue,
    } = given
    if (!hasRoom) await leaveRoomForAnswersOnly({ clock, phone })
    const edits = await refusedInBoth(given)
    const discarding = Promise.allSettled([first.page.shown()?.discardUnsent(edits, false)])
    first.page.openHome()
    await clock.until(discarding, 10_000)
    expect(await discarding).toEqual([{ status: 'fulfilled', value: undefined }])
    await clock.advance(5000)
    expect(shownIn(second, 'p2')).toBeUndefined()
    api.refused.clear()
    disk.isNearlyFull = false
    phone.deleteDatabase('touchline')
    await clock.advance(60_000)
    expect([phone.rows('answers').map(({ questionId }) => questionId), accountValue('p2')]).toEqual([[], undefined])
  }),
)

it('an answer discarded on the device screen while its questions do not fit on the disk is named, removed, and on no screen', () =>
  scenario(async ({ clock, api, phone, tabs: [first, second] }) => {
    const { instanceId } = api.account('ana')
    await leaveRoomForAnswersOnly({ clock, phone })
    api.refused.add('p2')
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(30_000)
    second.page.openHome()
    await clock.advance(5000)
    expect(second.page.dashboard()?.statuses).toMatchObject([{ instanceId, unsent: 1, trouble: { code: 'INVALID_ANSWER' } }])
    const named = second.page.discardOnDevice(instanceId)
    await clock.until(named, 10_000)
    await clock.advance(5000)
    expect(await named).toEqual(['p2'])
    expect(second.page.dashboard()?.statuses).toMatchObject([{ instanceId, unsent: 0, trouble: null }])
    expect(shownIn(first, 'p2')).toBeUndefined()
  }))
