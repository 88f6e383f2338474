import { describe, expect, it, vi } from 'vitest'
import { overlay } from '#app/parts/details/draft.ts'
import { memoryStorage } from '#app/ui/browser/memory-storage.ts'
import { fakeStorage } from '#tests/support/storage.ts'
import { closeTabs, givenStorages, openDraft, place, readDraft, start } from './drafts.ts'

const tabsLookedAt = () => new Promise(setImmediate)

const full = () => {
  throw new DOMException('full', 'QuotaExceededError')
}

givenStorages()

describe('a draft', () => {
  it('restores what was typed, only for the same person in the same form', () => {
    const typed = { ...start, firstName: 'Ad', birth: { month: '03', year: '' }, teams: [{ clubName: 'AS' }] }
    openDraft(start).change(typed)
    expect(readDraft(place, start)).toEqual(typed)
    expect(readDraft({ ...place, owner: 'u2' }, start)).toBeUndefined()
    expect(readDraft({ ...place, form: 'coach-details' }, start)).toBeUndefined()
    expect(readDraft({ ...place, isForADay: true }, start)).toBeUndefined()
  })

  it('is said to be kept only if it outlives the page', async () => {
    const own = openDraft(start)
    const keeps = async () => {
      own.change({ ...start, firstName: String(Math.random()) })
      return own.isKept
    }
    expect(await keeps()).toBe(true)
    vi.stubGlobal('localStorage', Object.assign(fakeStorage(), { setItem: full }))
    expect(await keeps()).toBe(false)
    // without a database for its copy either
    vi.spyOn(console, 'warn').mockReturnValue()
    vi.stubGlobal('localStorage', memoryStorage())
    expect(await keeps()).toBe(false)
  })

  it('is not found when it equals the start values or was removed', () => {
    const own = openDraft(start)
    own.change({ ...start, firstName: 'B' })
    own.change(start)
    expect(readDraft(place, start)).toBeUndefined()
    own.change({ ...start, firstName: 'B' })
    own.remove()
    expect(readDraft(place, start)).toBeUndefined()
  })

  it('of another tab, typed later, stays when this one is saved', () => {
    const own = openDraft(start)
    own.change({ ...start, firstName: 'B' })
    const others = { ...start, firstName: 'C' }
    openDraft(start).change(others)
    own.noteSaved({ values: { ...start, firstName: 'B' } })
    // the form gets the saved values
    own.change({ ...start, firstName: 'B' })
    expect(readDraft(place, start)).toEqual(others)
  })

  it('of a tab whose form was typed in before stays when another tab’s is saved', () => {
    const [a, b] = [openDraft(start), openDraft(start)]
    b.change({ ...start, firstName: 'B' })
    a.change({ ...start, firstName: 'A' })
    a.noteSaved({ values: { ...start, firstName: 'A' } })
    expect(readDraft(place, start)).toEqual({ ...start, firstName: 'B' })
  })

  it('of each tab is restored in it, and drafts of closed tabs are restored one after the other', async () => {
    const [a, b] = [fakeStorage(), fakeStorage()]
    vi.stubGlobal('sessionStorage', a)
    const [first, second] = [openDraft(start), openDraft(start)]
    first.change({ ...start, firstName: 'A' })
    vi.stubGlobal('sessionStorage', b)
    second.change({ ...start, firstName: 'B' })
    expect(readDraft(place, start)?.firstName).toBe('B')
    vi.stubGlobal('sessionStorage', a)
    expect(readDraft(place, start)?.firstName).toBe('A')
    vi.stubGlobal('sessionStorage', fakeStorage())
    const [saved, seen] = [{ ...start, firstName: readDraft(place, start)?.firstName ?? '' }, openDraft(start)]
    seen.noteSaved({ values: saved })
    expect(new Set([saved.firstName, readDraft(place, start)?.firstName])).toEqual(new Set(['A', 'B']))
    closeTabs()
    openDraft(start).remove()
    await tabsLookedAt()
    expect(readDraft(place, start)).toBeUndefined()
  })

  it('that a form was opened with is replaced by further typing, and only once', async () => {
    openDraft(start).change({ ...start, firstName: 'B' })
    closeTabs()
    vi.stubGlobal('sessionStorage', fakeStorage())
    const own = openDraft(start)
    own.change({ ...start, firstName: 'Bo' })
    await tabsLookedAt()
    own.noteSaved({ values: { ...start, firstName: 'Bo' } })
    expect(readDraft(place, start)).toBeUndefined()
  })

  it('that a form was opened with stays if it was continued in its own tab', () => {
    const other = openDraft(start)
    other.change({ ...start, firstName: 'B' })
    vi.stubGlobal('sessionStorage', fakeStorage())
    const own = openDraft(start)
    other.change({ ...start, firstName: 'Bo' })
    own.change({ ...start, firstName: 'Ba' })
    own.noteSaved({ values: { ...start, firstName: 'Ba' } })
    expect(readDraft(place, start)?.firstName).toBe('Bo')
  })

  it('of another tab is followed in what was not typed here, once that tab saves, changes or discards it', () => {
    const other = openDraft(start)
    other.open()
    other.change({ ...start, firstName: 'B', birth: { month: '03', year: '' } })
    vi.stubGlobal('sessionStorage', fakeStorage())
    const own = openDraft(start)
    const here = { ...own.values, birth: { month: '04', year: '' } }
    own.change(here)
    expect(own.followed(here)).toBeUndefined()
    other.change({ ...start, firstName: 'Bo', birth: { month: '03', year: '' } })
    expect(own.followed(here)).toEqual({ ...here, firstName: 'Bo' })
    other.noteSaved({ values: { ...start, firstName: 'Bo' } })
    expect(own.followed({ ...here, firstName: 'Bo' })).toEqual({ ...here, firstName: start.firstName })
  })

  it('that this tab has gone on with or removed is not followed', async () => {
    openDraft(start).change({ ...start, firstName: 'B' })
    const again = openDraft(start)
    const typed = { ...again.values, birth: { month: '04', year: '' } }
    again.change(typed)
    await tabsLookedAt()
    expect(again.followed(typed)).toBeUndefined()
  })

  it('of a tab that is open stays there if another discards it', async () => {
    const own = openDraft(start)
    own.open()
    own.change({ ...start, firstName: 'B' })
    vi.stubGlobal('sessionStorage', fakeStorage())
    openDraft(start).change(start)
    await tabsLookedAt()
    expect(readDraft(place, start)?.firstName).toBe('B')
    closeTabs()
    openDraft(start).change(start)
    await tabsLookedAt()
    expect(readDraft(place, start)).toBeUndefined()
  })

  it('equal to the stored values hides no other, and is removed once those are saved', async () => {
    const typed = { ...start, firstName: 'A' }
    const same = { ...start, firstName: 'B' }
    const [first, second, third] = [openDraft(start), openDraft(start), openDraft(start)]
    first.change(typed)
    vi.stubGlobal('sessionStorage', fakeStorage())
    second.change(same)
    closeTabs()
    // saved on another device meanwhile
    expect(readDraft(place, same)).toEqual(typed)
    openDraft(same).change({ ...start, firstName: 'Al' })
    expect(readDraft(place, same)?.firstName).toBe('Al')
    await tabsLookedAt()
    third.noteSaved({ values: same })
    expect(Object.keys(localStorage)).toHaveLength(1)
  })

  it('of an earlier app, whose tabs had one draft, is found', async () => {
    localStorage.setItem('draft:player-details:u1', JSON.stringify({ ...start, firstName: 'B' }))
    expect(readDraft(place, start)?.firstName).toBe('B')
    openDraft(start).remove()
    await tabsLookedAt()
    expect(readDraft(place, start)).toBeUndefined()
  })

  it('for a day is gone after it, whichever tab it is of', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const ofDay = { form: 'onboarding', owner: 'guest', isForADay: true }
    for (const name of ['A', 'B']) openDraft(start, ofDay).change({ ...start, firstName: name })
    vi.advanceTimersByTime(25 * 3_600_000)
    expect(readDraft(ofDay, start)).toBeUndefined()
    expect(Object.keys(localStorage)).toEqual([])
    vi.useRealTimers()
  })

  it('that was found is removed once it is saved', () => {
    openDraft(start).change({ ...start, firstName: 'B' })
    openDraft(start).noteSaved({ values: { ...start, firstName: 'B' } })
    expect(readDraft(place, start)).toBeUndefined()
  })

  it('whose later form a full storage refused is removed once that is saved', () => {
    const own = openDraft(start)
    own.change({ ...start, firstName: 'B' })
    const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    own.change({ ...start, firstName: 'Bo' })
    full.mockRestore()
    own.noteSaved({ values: { ...start, firstName: 'Bo' } })
    expect(readDraft(place, { ...start, firstName: 'Bo' })).toBeUndefined()
  })

  it('of another shape cannot break the form', () => {
    expect(overlay(start, { firstName: 7, birth: 'x', teams: 'y', extra: 1 })).toEqual(start)
    expect(overlay(start, { teams: [null, { clubName: 3 }, { clubName: 'AS' }] }).teams).toEqual([{ clubName: 'AS' }])
  })

  it('causes no error if storage is full or blocked', () => {
    const closed = () => {
      throw new Error('closed')
    }
    vi.stubGlobal('localStorage', new Proxy({}, { get: closed, ownKeys: closed }))
    const own = openDraft(start)
    own.change({ ...start, firstName: 'B' })
    own.noteSaved({ values: { ...start, firstName: 'B' } })
    expect(readDraft(place, start)).toBeUndefined()
  })
})
