import { beforeAll, expect, it } from 'vitest'
import type { GroupValue } from '#contract/rules/questionnaire.ts'
import { QUESTIONS } from './questionnaire.ts'
import { Random } from './scheduler.ts'
import { Api } from './screens/api.ts'
import { portal } from './screens/bundle.ts'
import { Clock, onClock } from './screens/clock.ts'
import { lineTo, type Weather } from './screens/line.ts'
import { open } from './screens/many.ts'
import { disk } from './screens/disk.ts'
import { Phone, type PhonePorts } from './screens/phone.ts'
import type { Tab } from './screens/tab.ts'

/** What histories of pages have found, or find too seldom, each as a story of its own. */

let evaluate: PhonePorts['evaluate']
beforeAll(async () => {
  evaluate = await portal()
})

interface Story {
  clock: Clock
  api: Api
  phone: Phone
  weather: Weather
  tabs: [Tab, Tab]
  /** the account's value of a question */
  held: (questionId: string) => GroupValue | undefined
}

/** Tells a story about two tabs that show the same assessment, which is stored on the phone. */
function story(tell: (story: Story) => Promise<void>): Promise<void> {
  const clock = new Clock()
  const random = new Random(1)
  const weather: Weather = { troubles: new Map() }
  const api = new Api(clock, random, ['ana', 'ben'])
  const phone = new Phone({ clock, random, evaluate, line: lineTo(api, { clock, random, weather }) })
  return onClock(clock, async () => {
    try {
      const first = await open(phone, api, 'ana', clock)
      await clock.advance(5000)
      const second = phone.open()
      await clock.until(second.open(), 5000)
      second.page.openTest(api.account('ana').instanceId)
      await clock.advance(5000)
      await tell({ clock, api, phone, weather, tabs: [first, second], held: (id) => api.account('ana').server.groups.get(id)?.value })
    } finally {
      disk.isFull = disk.isNearlyFull = disk.takesAnswersOnly = false
      for (const tab of [...phone.tabs]) tab.kill()
    }
  })
}

function tap(tab: Tab, questionId: string, value: GroupValue): void {
  const one = QUESTIONS.find(({ question }) => question.id === questionId)
  const shown = tab.page.shown()
  if (!one || !shown) throw new Error(`${questionId} is not on screen`)
  void shown.answers.answer(one.question, one.section.name, value)
}

const EVERYTHING: Record<string, GroupValue> = {
  r1: { 'r1-a': '1', 'r1-b': '2', 'r1-c': '3', 'r1-d': '4' },
  r2: { 'r2-a': '1', 'r2-b': '2', 'r2-c': '3', 'r2-d': '4' },
  p1: { p1: 'A' },
  p2: { p2: 'B' },
  l1: { l1: '3' },
}

const shownIn = (tab: Tab, questionId: string) => tab.page.shown()?.answers.snapshot().answers[questionId]

it('of two answers that no disk took, given in two tabs, both tabs keep the later', () =>
  story(async ({ clock, phone, tabs: [first, second], held }) => {
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
    expect(held('p1')).toEqual({ p1: 'B' })
  }))

it.each([0, 0.1, 0.2, 0.3])('two tabs in which two questions are answered %f ms after each other both show both', (ms) =>
  story(async ({ clock, phone, tabs: [first, second] }) => {
    phone.setOnline(false)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(ms)
    tap(second, 'p2', { p2: 'B' })
    await clock.advance(5000)
    for (const tab of [first, second]) expect([shownIn(tab, 'p1'), shownIn(tab, 'p2')]).toEqual([{ p1: 'A' }, { p2: 'B' }])
  }),
)

it('an answer that a tab could not write does not replace a later one that another tab wrote', () =>
  story(async ({ clock, phone, tabs: [first, second], held }) => {
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
    expect(held('p1')).toEqual({ p1: 'B' })
  }))

it.each([0, 5])('a database that is deleted under two tabs takes no answer off their screens: %i ms after a tap', (ms) =>
  story(async ({ clock, phone, tabs: [first, second], held }) => {
    phone.setOnline(false)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(1000)
    tap(second, 'l1', { l1: '4' })
    await clock.advance(ms)
    phone.remove('touchline')
    // the new database has this answer only, and the other tab may be told of it before it looks what is left
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(10_000)
    for (const tab of [first, second])
      expect(['p1', 'p2', 'l1'].map((id) => shownIn(tab, id))).toEqual([{ p1: 'A' }, { p2: 'B' }, { l1: '4' }])
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(['p1', 'p2', 'l1'].map(held)).toEqual([{ p1: 'A' }, { p2: 'B' }, { l1: '4' }])
  }),
)

it('an answer given while the database is deleted stays, though another tab stores the assessment again before its own tab looks', () =>
  story(async ({ clock, api, phone, tabs: [first], held }) => {
    // from the dashboard: this tab is told of the deletion while the old database can still be read
    const third = phone.open()
    await clock.until(third.open(), 5000)
    third.page.openHome()
    await clock.advance(5000)
    third.page.openTest(api.account('ana').instanceId)
    await clock.advance(5000)
    phone.setOnline(false)
    phone.remove('touchline')
    tap(third, 'p1', { p1: 'A' })
    await clock.advance(1)
    tap(third, 'p2', { p2: 'B' })
    await clock.advance(10_000)
    expect(phone.rows('answers').map(({ questionId }) => questionId)).toEqual(['p1', 'p2'])
    for (const tab of [first, third]) expect([shownIn(tab, 'p1'), shownIn(tab, 'p2')]).toEqual([{ p1: 'A' }, { p2: 'B' }])
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(['p1', 'p2'].map(held)).toEqual([{ p1: 'A' }, { p2: 'B' }])
  }))

it('an answer that was sent past a full disk and arrives late does not replace a later one in the account', () =>
  story(async ({ clock, weather, tabs: [first, second], held }) => {
    disk.isFull = true
    weather.troubles.set('assessment/assessment-instance/responses', 'slow')
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(500)
    // on its way for up to ten seconds
    disk.isFull = false
    weather.troubles.clear()
    tap(second, 'p1', { p1: 'B' })
    await clock.advance(60_000)
    expect(held('p1')).toEqual({ p1: 'B' })
    expect([first, second].map((tab) => shownIn(tab, 'p1'))).toEqual([{ p1: 'B' }, { p1: 'B' }])
  }))

it.each([
  ['the server ends the session of whoever leaves', undefined],
  ['the server is not told', 'cut'],
] as const)('answers that wait while somebody else signs in are not sent as theirs: %s', (_, logout) =>
  story(async ({ clock, api, phone, weather, tabs: [first], held }) => {
    weather.troubles.set('assessment/assessment-instance/responses', 'slow')
    if (logout) weather.troubles.set('user/auth/logout', logout)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(1200)
    // the first save is on its way; this answer goes with the next
    tap(first, 'p2', { p2: 'B' })
    await clock.until(
      first.page.signOutAs(async () => 'keep'),
      5000,
    )
    await clock.until(first.page.signIn(api.credentials('ben')), 2000)
    expect([first.page.userId(), held('p1')]).toEqual(['ben', undefined])
    weather.troubles.clear()
    await clock.advance(60_000)
    expect([api.foreign, held('p2')]).toEqual([[], undefined])
    expect(phone.rows('answers').map(({ userId, questionId }) => [userId, questionId])).toContainEqual(['ana', 'p2'])
  }),
)

it('Save and exit drops nothing that the disk refused', () =>
  story(async ({ clock, phone, tabs: [first, second], held }) => {
    second.kill()
    phone.setOnline(false)
    disk.isFull = true
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(1000)
    await clock.until(first.page.saveAndExit(), 10_000)
    await clock.advance(5000)
    disk.isFull = false
    await clock.advance(10_000)
    expect(phone.rows('answers')).toMatchObject([{ questionId: 'p1', value: { p1: 'A' } }])
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(held('p1')).toEqual({ p1: 'A' })
  }))

it('Discard without a connection discards nothing, and empties nothing that the account has', () =>
  story(async ({ clock, api, phone, tabs: [first] }) => {
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

it('an answer given after a full disk, a sign-out that kept it in its page and the same person’s return is sent, and never signed away', () =>
  story(async ({ clock, api, phone, tabs: [first, second], held }) => {
    second.kill()
    phone.setOnline(false)
    disk.isFull = true
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(1000)
    await clock.until(
      first.page.signOutAs(() => Promise.resolve('keep' as const)),
      10_000,
    )
    disk.isFull = false
    await clock.until(first.page.signIn(api.credentials('ana')), 2000)
    first.page.openTest(api.account('ana').instanceId)
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(10_000)
    expect(phone.rows<{ userId: string }>('instances').map(({ userId }) => userId)).toEqual(['ana'])
    const asked: number[] = []
    await clock.until(
      first.page.signOutAs((found) => {
        if (found !== 'unknown') asked.push(found.answers)
        return Promise.resolve('keep' as const)
      }),
      10_000,
    )
    expect(asked).toEqual([2])
    phone.setOnline(true)
    await clock.until(first.page.signIn(api.credentials('ana')), 2000)
    first.page.openTest(api.account('ana').instanceId)
    await clock.advance(60_000)
    expect([held('p1'), held('p2')]).toEqual([{ p1: 'A' }, { p2: 'B' }])
  }))

it('an answer whose assessment the disk refused is said and sent on every screen, also after its page was killed', () =>
  story(async ({ clock, api, phone, tabs: [first, second], held }) => {
    second.kill()
    phone.setOnline(false)
    disk.isNearlyFull = true
    phone.remove('touchline')
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(10_000)
    expect([phone.rows('answers').length > 0, phone.rows('instances')]).toEqual([true, []])
    first.kill()
    const third = phone.open()
    await clock.until(third.open(), 5000)
    third.page.openHome()
    await clock.advance(5000)
    const { instanceId } = api.account('ana')
    expect(third.page.cards()?.statuses).toMatchObject([{ instanceId, unsent: 1, summary: undefined }])
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(held('p1')).toEqual({ p1: 'A' })
    expect(third.page.cards()?.statuses).toMatchObject([{ instanceId, unsent: 0 }])
  }))

it('an answer that the disk refused is said on the other tabs, also where it was given as soon as its page opened', () =>
  story(async ({ clock, api, phone, tabs: [first, second] }) => {
    second.kill()
    phone.setOnline(false)
    first.page.openHome()
    await clock.advance(5000)
    disk.isFull = true
    const third = phone.open()
    await clock.until(third.open(), 5000)
    third.page.openTest(api.account('ana').instanceId)
    while (third.page.shown()?.get().state !== 'ready') await clock.advance(1)
    tap(third, 'p1', { p1: 'A' })
    await clock.advance(5000)
    expect(first.page.cards()?.statuses).toMatchObject([{ unwrittenElsewhere: 1 }])
  }))

it('an answer given while the disk is about to refuse its assessment is sent', () =>
  story(async ({ clock, api, phone, tabs: [first, second], held }) => {
    second.kill()
    first.page.leave()
    await clock.advance(5000)
    phone.remove('touchline')
    await clock.advance(5000)
    disk.isNearlyFull = true
    first.page.openTest(api.account('ana').instanceId)
    let isTapped = false
    first.page.shown()?.subscribe(() => {
      if (isTapped || first.page.shown()?.get().state !== 'ready') return
      isTapped = true
      tap(first, 'p1', { p1: 'A' })
    })
    await clock.advance(10_000)
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(10_000)
    expect([isTapped, held('p1'), held('p2')]).toEqual([true, { p1: 'A' }, { p2: 'B' }])
    expect(first.page.shown()?.answers.snapshot()).toMatchObject({ unsent: 0, notSaved: false })
    const from = clock.now
    await clock.advance(60_000)
    // preparing for no signal may try again in this minute, and nothing else
    expect(first.calls.filter(({ at }) => at >= from).length).toBeLessThan(3)
    // what the server refuses is said, too
    api.refused.add('l1')
    tap(first, 'l1', { l1: '4' })
    await clock.advance(10_000)
    const state = first.page.shown()?.get()
    expect(state?.state === 'ready' && state.ready.instance.trouble?.edits).toHaveLength(1)
  }))

it('a database that is deleted takes no answer along that a tab has heard of, though it cannot show its assessment yet', () =>
  story(async ({ clock, api, phone, tabs: [first, second], held }) => {
    second.kill()
    phone.setOnline(false)
    disk.isNearlyFull = true
    phone.remove('touchline')
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
    phone.remove('touchline')
    await clock.advance(10_000)
    expect(phone.rows('answers')).toMatchObject([{ questionId: 'p1', value: { p1: 'A' } }])
    first.kill()
    disk.isFull = true
    phone.remove('touchline')
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(held('p1')).toEqual({ p1: 'A' })
  }))

it.each([0, 1, 2, 5])('a database that is deleted while the test screen opens, after %i ms, takes no answer along', (ms) =>
  story(async ({ clock, api, phone, tabs: [first, second] }) => {
    second.kill()
    phone.setOnline(false)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(5000)
    first.page.openHome()
    await clock.advance(5000)
    first.page.openTest(api.account('ana').instanceId)
    await clock.advance(ms)
    phone.remove('touchline')
    await clock.advance(20_000)
    const isKept = phone.rows('answers').some(({ questionId }) => questionId === 'p1')
    // whoever opens it after the deletion is told that nothing is there; whoever sees the answer still has it
    expect(isKept || shownIn(first, 'p1') === undefined).toBe(true)
  }),
)

it('an answer that is discarded on a disk without room for the questions is on no screen any more, in either tab', () =>
  story(async ({ clock, api, phone, tabs: [first, second] }) => {
    phone.remove('touchline')
    disk.isNearlyFull = true
    await clock.advance(30_000)
    api.refused.add('p2')
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(30_000)
    expect([shownIn(first, 'p2'), shownIn(second, 'p2')]).toEqual([{ p2: 'B' }, { p2: 'B' }])
    const edits = first.page
      .shown()
      ?.answers.unsent()
      .map(({ edit }) => edit)
    expect(edits).toHaveLength(1)
    await clock.until(first.page.shown()?.discardUnsent(edits, false) ?? Promise.resolve(), 10_000)
    await clock.advance(5000)
    expect([shownIn(first, 'p2'), shownIn(second, 'p2')]).toEqual([undefined, undefined])
  }))

it.each([
  ['the disk has no room for the questions', false],
  ['the disk has room', true],
])('what was discarded on a screen that was left at once is on no other screen, and does not come back: %s', (_, hasRoom) =>
  story(async ({ clock, api, phone, tabs: [first, second], held }) => {
    if (!hasRoom) {
      phone.remove('touchline')
      disk.isNearlyFull = true
      await clock.advance(30_000)
    }
    api.refused.add('p2')
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(30_000)
    expect([shownIn(first, 'p2'), shownIn(second, 'p2')]).toEqual([{ p2: 'B' }, { p2: 'B' }])
    const edits = first.page
      .shown()
      ?.answers.unsent()
      .map(({ edit }) => edit)
    const discarding = Promise.allSettled([first.page.shown()?.discardUnsent(edits, false)])
    first.page.openHome()
    await clock.until(discarding, 10_000)
    expect(await discarding).toEqual([{ status: 'fulfilled', value: undefined }])
    await clock.advance(5000)
    expect(shownIn(second, 'p2')).toBeUndefined()
    api.refused.clear()
    disk.isNearlyFull = false
    phone.remove('touchline')
    await clock.advance(60_000)
    expect([phone.rows('answers').map(({ questionId }) => questionId), held('p2')]).toEqual([[], undefined])
  }),
)

it('a Submit past a full disk leaves no answers on it, also where the screen is left before the reply', () =>
  story(async ({ clock, phone, weather, tabs: [first, second], held }) => {
    second.kill()
    for (const [questionId, value] of Object.entries(EVERYTHING)) tap(first, questionId, value)
    await clock.advance(30_000)
    expect(held('r2')).toEqual(EVERYTHING['r2'])
    disk.isFull = true
    weather.troubles.set('assessment/assessment-instance', 'slow')
    const submitting = Promise.allSettled([first.page.shown()?.submit()])
    await clock.advance(10)
    first.page.openHome()
    await clock.until(submitting, 60_000)
    expect([await submitting, phone.rows('answers')]).toEqual([[{ status: 'fulfilled', value: 'results' }], []])
  }))

it('a tab that was opened while the disk was full shows what another tab writes later, also where the account has it already', () =>
  story(async ({ clock, api, phone, tabs: [first, second], held }) => {
    second.kill()
    phone.setOnline(false)
    tap(first, 'p1', { p1: 'B' })
    await clock.advance(1000)
    disk.isFull = true
    tap(first, 'p1', { p1: 'A' })
    phone.setOnline(true)
    await clock.advance(30_000)
    expect(held('p1')).toEqual({ p1: 'A' })
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

it.each([true, false])('a late answer that is settled in one tab is offered in no other, also without a connection: taken %s', (isTaken) =>
  story(async ({ clock, api, phone, tabs: [first, second], held }) => {
    phone.setOnline(false)
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(1000)
    while (!held('p1'))
      await clock.until(
        api.answerElsewhere('ana', (id) => (id === 'p1' ? { p1: 'B' } : EVERYTHING[id]) ?? {}),
        1000,
      )
    phone.setOnline(true)
    await clock.advance(30_000)
    const lateIn = (tab: Tab) => tab.page.shown()?.answers.snapshot().late
    expect([first, second].map(lateIn)).toMatchObject([[{ questionId: 'p1' }], [{ questionId: 'p1' }]])
    phone.setOnline(false)
    await clock.until(first.page.shown()?.settleLate('p1', isTaken) ?? Promise.resolve(), 5000)
    await clock.advance(5000)
    expect([first, second].map(lateIn)).toEqual([[], []])
    const settled = { p1: isTaken ? 'A' : 'B' }
    expect([first, second].map((tab) => shownIn(tab, 'p1'))).toEqual([settled, settled])
  }),
)

it('what the account replies to a Discard after a sign-out stays on no device', () =>
  story(async ({ clock, api, phone, weather, tabs: [first, second], held }) => {
    second.kill()
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(10_000)
    api.refused.add('p2')
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(10_000)
    weather.troubles.set('assessment', 'slow')
    weather.troubles.set('user/auth/logout', 'cut')
    const edits = first.page
      .shown()
      ?.answers.unsent()
      .map(({ edit }) => edit)
    const discarding = Promise.allSettled([first.page.shown()?.discardUnsent(edits, false)])
    await clock.until(
      first.page.signOutAs(() => Promise.resolve('keep' as const)),
      5000,
    )
    expect([first.page.status(), held('p1')]).toEqual(['guest', { p1: 'A' }])
    await clock.until(discarding, 30_000)
    expect(await discarding).toMatchObject([{ status: 'rejected' }])
    expect(phone.rows('answers').filter(({ questionId }) => questionId !== 'p2')).toEqual([])
  }))

it.each(['a save', 'a Submit'])('what the account replies to %s after a sign-out that kept it stays on no device', (sent) =>
  story(async ({ clock, phone, weather, tabs: [first, second], held }) => {
    second.kill()
    if (sent === 'a Submit') for (const [questionId, value] of Object.entries(EVERYTHING)) tap(first, questionId, value)
    await clock.advance(10_000)
    weather.troubles.set('user/auth/logout', 'cut')
    weather.troubles.set('assessment/assessment-instance', 'slow')
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
    expect(held('p1')).toEqual({ p1: sent === 'a Submit' ? 'A' : 'B' })
    expect([phone.rows('answers'), phone.rows('receipts'), phone.rows('instances')]).toEqual([[], [], []])
  }),
)
it('what is discarded on the device screen while its questions do not fit on the disk is named, gone, and on no screen any more', () =>
  story(async ({ clock, api, phone, tabs: [first, second] }) => {
    const { instanceId } = api.account('ana')
    phone.remove('touchline')
    disk.isNearlyFull = true
    await clock.advance(30_000)
    api.refused.add('p2')
    tap(first, 'p2', { p2: 'B' })
    await clock.advance(30_000)
    second.page.openHome()
    await clock.advance(5000)
    expect(second.page.cards()?.statuses).toMatchObject([{ instanceId, unsent: 1, trouble: { code: 'INVALID_ANSWER' } }])
    const named = second.page.discardOnDevice(instanceId)
    await clock.until(named, 10_000)
    await clock.advance(5000)
    expect(await named).toEqual(['p2'])
    expect(second.page.cards()?.statuses).toMatchObject([{ instanceId, unsent: 0, trouble: null }])
    expect(shownIn(first, 'p2')).toBeUndefined()
  }))

it('an assessment that neither the disk has nor the server gives is named so, asked for once also after a reload, and sent once there is one', () =>
  story(async ({ clock, api, phone, weather, tabs: [first, second], held }) => {
    const { instanceId } = api.account('ana')
    const path = `assessment/assessment-instance/${instanceId}`
    second.kill()
    phone.setOnline(false)
    phone.remove('touchline')
    disk.isNearlyFull = true
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(10_000)
    first.kill()
    weather.troubles.set(path, 'missing')
    phone.setOnline(true)
    const calls: number[] = []
    for (let i = 0; i < 2; i += 1) {
      const tab = phone.open()
      await clock.until(tab.open(), 5000)
      tab.page.openHome()
      await clock.advance(120_000)
      calls.push(tab.calls.filter((call) => call.path.startsWith(path)).length)
      expect(tab.page.cards()?.statuses).toMatchObject([{ instanceId, unsent: 1, trouble: { code: 'NOT_FOUND' } }])
      tab.kill()
    }
    expect(calls).toEqual([1, 0])
    weather.troubles.clear()
    const last = phone.open()
    await clock.until(last.open(), 5000)
    last.page.openHome()
    await clock.advance(10_000)
    expect(held('p1')).toBeUndefined()
    await clock.until(last.page.tryAgainOnDevice(instanceId), 10_000)
    await clock.advance(10_000)
    expect(held('p1')).toEqual({ p1: 'A' })
    expect(last.page.cards()?.statuses).toMatchObject([{ instanceId, unsent: 0, trouble: null }])
  }))

it('an assessment that the disk does not take even without its questions is read ever less often', () =>
  story(async ({ clock, phone, tabs: [first, second], held }) => {
    second.kill()
    phone.remove('touchline')
    disk.takesAnswersOnly = true
    await clock.advance(30_000)
    tap(first, 'p1', { p1: 'A' })
    const from = clock.now
    await clock.advance(30 * 60_000)
    expect(first.calls.filter(({ at }) => at >= from).length).toBeLessThan(12)
    disk.takesAnswersOnly = false
    await clock.advance(10_000)
    expect(held('p1')).toEqual({ p1: 'A' })
  }))
