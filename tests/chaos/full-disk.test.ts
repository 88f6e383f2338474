import { expect, it } from 'vitest'
import { disk } from './screens/disk.ts'
import { ALL_ANSWERS, scenario, tap } from './scenario.ts'

/** The disk refuses an answer, an assessment, or its questions. */

it('Save and exit loses no answer that the disk refused', () =>
  scenario(async ({ clock, phone, tabs: [first, second], accountValue }) => {
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
    expect(accountValue('p1')).toEqual({ p1: 'A' })
  }))

it('answers given on a full disk, before a sign-out and after the same person’s return, are counted at the next sign-out and sent', () =>
  scenario(async ({ clock, api, phone, tabs: [first, second], accountValue }) => {
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
    expect([accountValue('p1'), accountValue('p2')]).toEqual([{ p1: 'A' }, { p2: 'B' }])
  }))

it('an answer whose assessment the disk refused is shown and sent on every screen, even after its page was killed', () =>
  scenario(async ({ clock, api, phone, tabs: [first, second], accountValue }) => {
    second.kill()
    phone.setOnline(false)
    disk.isNearlyFull = true
    phone.deleteDatabase('touchline')
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(10_000)
    expect([phone.rows('answers').length > 0, phone.rows('instances')]).toEqual([true, []])
    first.kill()
    const third = phone.open()
    await clock.until(third.open(), 5000)
    third.page.openHome()
    await clock.advance(5000)
    const { instanceId } = api.account('ana')
    expect(third.page.dashboard()?.statuses).toMatchObject([{ instanceId, unsent: 1, summary: undefined }])
    phone.setOnline(true)
    await clock.advance(60_000)
    expect(accountValue('p1')).toEqual({ p1: 'A' })
    expect(third.page.dashboard()?.statuses).toMatchObject([{ instanceId, unsent: 0 }])
  }))

it('an answer that the disk refused is shown in the other tabs, even if it was given as soon as its page opened', () =>
  scenario(async ({ clock, api, phone, tabs: [first, second] }) => {
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
    expect(first.page.dashboard()?.statuses).toMatchObject([{ unwrittenElsewhere: 1 }])
  }))

it('an answer given while the disk is about to refuse its assessment is sent', () =>
  scenario(async ({ clock, api, phone, tabs: [first, second], accountValue }) => {
    second.kill()
    first.page.leave()
    await clock.advance(5000)
    phone.deleteDatabase('touchline')
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
    expect([isTapped, accountValue('p1'), accountValue('p2')]).toEqual([true, { p1: 'A' }, { p2: 'B' }])
    expect(first.page.shown()?.answers.snapshot()).toMatchObject({ unsent: 0, hasFailedWrites: false })
    const from = clock.now
    await clock.advance(60_000)
    // preparing for no signal may try again in this minute, and nothing else
    expect(first.calls.filter(({ at }) => at >= from).length).toBeLessThan(3)
    // refusals of the server are shown, too
    api.refused.add('l1')
    tap(first, 'l1', { l1: '4' })
    await clock.advance(10_000)
    const state = first.page.shown()?.get()
    expect(state?.state === 'ready' && state.ready.instance.trouble?.edits).toHaveLength(1)
  }))

it('a Submit sent directly while the disk is full leaves no answers on it, even if the screen is left before the reply', () =>
  scenario(async ({ clock, phone, faults, tabs: [first, second], accountValue }) => {
    second.kill()
    for (const [questionId, value] of Object.entries(ALL_ANSWERS)) tap(first, questionId, value)
    await clock.advance(30_000)
    expect(accountValue('r2')).toEqual(ALL_ANSWERS['r2'])
    disk.isFull = true
    faults.byPath.set('assessment/assessment-instance', 'slow')
    const submitting = Promise.allSettled([first.page.shown()?.submit()])
    await clock.advance(10)
    first.page.openHome()
    await clock.until(submitting, 60_000)
    expect([await submitting, phone.rows('answers')]).toEqual([[{ status: 'fulfilled', value: 'results' }], []])
  }))

it('an assessment missing on the disk and refused by the server is reported, requested only once even after a reload, and sent once the server has it', () =>
  scenario(async ({ clock, api, phone, faults, tabs: [first, second], accountValue }) => {
    const { instanceId } = api.account('ana')
    const path = `assessment/assessment-instance/${instanceId}`
    second.kill()
    phone.setOnline(false)
    phone.deleteDatabase('touchline')
    disk.isNearlyFull = true
    tap(first, 'p1', { p1: 'A' })
    await clock.advance(10_000)
    first.kill()
    faults.byPath.set(path, 'missing')
    phone.setOnline(true)
    const calls: number[] = []
    for (let i = 0; i < 2; i += 1) {
      const tab = phone.open()
      await clock.until(tab.open(), 5000)
      tab.page.openHome()
      await clock.advance(120_000)
      calls.push(tab.calls.filter((call) => call.path.startsWith(path)).length)
      expect(tab.page.dashboard()?.statuses).toMatchObject([{ instanceId, unsent: 1, trouble: { code: 'NOT_FOUND' } }])
      tab.kill()
    }
    expect(calls).toEqual([1, 0])
    faults.byPath.clear()
    const last = phone.open()
    await clock.until(last.open(), 5000)
    last.page.openHome()
    await clock.advance(10_000)
    expect(accountValue('p1')).toBeUndefined()
    await clock.until(last.page.retryOnDevice(instanceId), 10_000)
    await clock.advance(10_000)
    expect(accountValue('p1')).toEqual({ p1: 'A' })
    expect(last.page.dashboard()?.statuses).toMatchObject([{ instanceId, unsent: 0, trouble: null }])
  }))

it('an assessment that the disk refuses even without its questions is fetched less and less often', () =>
  scenario(async ({ clock, phone, tabs: [first, second], accountValue }) => {
    second.kill()
    phone.deleteDatabase('touchline')
    disk.takesAnswersOnly = true
    await clock.advance(30_000)
    tap(first, 'p1', { p1: 'A' })
    const from = clock.now
    await clock.advance(30 * 60_000)
    expect(first.calls.filter(({ at }) => at >= from).length).toBeLessThan(12)
    disk.takesAnswersOnly = false
    await clock.advance(10_000)
    expect(accountValue('p1')).toEqual({ p1: 'A' })
  }))
