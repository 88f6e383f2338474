import { beforeEach, describe, expect, it, vi } from 'vitest'
import { OwnDraft } from '#app/parts/details/draft.ts'
import { overlay } from '#app/parts/details/stored-draft.ts'
import { memoryStorage } from '#app/ui/browser/memory-storage.ts'
import { fakeStorage } from '#tests/support/storage.ts'
import { givenStorages, openDraft, ownedElsewhere, place, readDraft, start } from './drafts.ts'

const full = () => {
  throw new DOMException('full', 'QuotaExceededError')
}

let made = 0
/** the key of a draft that another page has stored */
let theirs = ''
beforeEach(() => {
  made += 1
  theirs = `draft:player-details:${made}:u1`
})

givenStorages()

describe('a draft', () => {
  it('restores what was typed, only for the same person in the same form', async () => {
    const typed = { ...start, firstName: 'Ad', birth: { month: '03', year: '' }, teams: [{ clubName: 'AS' }] }
    ;(await openDraft(start)).change(typed)
    expect(await readDraft(place, start)).toEqual(typed)
    expect(await readDraft({ ...place, owner: 'u2' }, start)).toBeUndefined()
    expect(await readDraft({ ...place, form: 'coach-details' }, start)).toBeUndefined()
    expect(await readDraft({ ...place, isForADay: true }, start)).toBeUndefined()
  })

  it('is said to be kept only if it outlives the page', async () => {
    const own = await openDraft(start)
    const keeps = async () => {
      own.change({ ...start, firstName: String(Math.random()) })
      return own.kept
    }
    expect(await keeps()).toBe(true)
    vi.stubGlobal('localStorage', Object.assign(fakeStorage(), { setItem: full }))
    expect(await keeps()).toBe(false)
    // without a database for its copy either
    vi.spyOn(console, 'warn').mockReturnValue()
    vi.stubGlobal('localStorage', memoryStorage())
    expect(await keeps()).toBe(false)
  })

  it('is not found when it equals the start values or was removed', async () => {
    const own = await openDraft(start)
    own.change({ ...start, firstName: 'B' })
    own.change(start)
    expect(await readDraft(place, start)).toBeUndefined()
    own.change({ ...start, firstName: 'B' })
    own.remove()
    expect(await readDraft(place, start)).toBeUndefined()
  })

  it('of another tab, typed later, stays when this one is saved', async () => {
    const own = await openDraft(start)
    own.change({ ...start, firstName: 'B' })
    const others = { ...start, firstName: 'C' }
    ;(await openDraft(start)).change(others)
    own.noteSaved({ values: { ...start, firstName: 'B' } })
    // the form gets the saved values
    own.change({ ...start, firstName: 'B' })
    expect(await readDraft(place, start)).toEqual(others)
  })

  it('of a tab whose form was typed in before stays when another tab’s is saved', async () => {
    const [a, b] = [await openDraft(start), await openDraft(start)]
    b.change({ ...start, firstName: 'B' })
    a.change({ ...start, firstName: 'A' })
    a.noteSaved({ values: { ...start, firstName: 'A' } })
    expect(await readDraft(place, start)).toEqual({ ...start, firstName: 'B' })
  })

  describe('of another visit, where something newer was saved since', () => {
    const typed = { ...start, firstName: 'Old', teams: [{ clubName: 'AS' }] }
    const saved = { ...start, firstName: 'New' }
    const later = async () => {
      vi.stubGlobal('sessionStorage', fakeStorage())
      return openDraft(saved)
    }
    beforeEach(async () => (await openDraft(start)).change(typed))

    it('shows that, and gives back what was typed if asked', async () => {
      const own = await later()
      expect(own.restored).toEqual({ ...typed, firstName: 'New' })
      expect([own.isOvertaken(), own.takeOvertaken(), own.isOvertaken()]).toEqual([true, { firstName: 'Old' }, false])
    })

    it('still has it when other fields are typed in, and after a reload', async () => {
      const own = await later()
      own.change({ ...saved, teams: [{ clubName: 'FC' }] })
      const again = await openDraft(saved)
      expect([again.restored, again.takeOvertaken()]).toEqual([{ ...saved, teams: [{ clubName: 'FC' }] }, { firstName: 'Old' }])
      own.change(saved)
      expect((await openDraft(saved)).takeOvertaken()).toEqual({ firstName: 'Old' })
    })

    it.each<[string, (own: OwnDraft<typeof start>) => void]>([
      ['typed in again', (own) => own.change({ ...saved, firstName: 'Newer' })],
      ['saved', (own) => own.noteSaved({ values: saved })],
      ['discarded', (own) => own.discard()],
    ])('has it no longer once the form is %s', async (_, act) => {
      const own = await later()
      act(own)
      expect([own.isOvertaken(), (await openDraft(saved)).isOvertaken()]).toEqual([false, false])
    })

    it('which was a row that both have edited, keeps it and the row that was added while other fields are typed in', async () => {
      const teams = (...names: string[]) => names.map((clubName) => ({ clubName, ageGroup: 'U15' }))
      const before = { ...start, teams: teams('AS Roma') }
      vi.stubGlobal('sessionStorage', fakeStorage())
      ;(await openDraft(before)).change({ ...before, teams: teams('AS Romana', 'Lazio') })
      vi.stubGlobal('sessionStorage', fakeStorage())
      const now = { ...before, teams: teams('AS Romagna') }
      const own = await openDraft(now)
      expect(own.restored?.teams).toEqual(now.teams)
      own.change({ ...now, firstName: 'Z' })
      // another device adds one, and the form is opened again
      const later = { ...now, teams: teams('AS Romagna', 'Inter') }
      expect((await openDraft(later)).takeOvertaken()).toEqual({ teams: teams('AS Romana', 'Lazio', 'Inter') })
    })

    it('which was a city, goes with its country', async () => {
      const before = { ...start, countryId: 'FR', cityId: 'Lyon' }
      vi.stubGlobal('sessionStorage', fakeStorage())
      ;(await openDraft(before)).change({ ...before, cityId: 'Nice' })
      vi.stubGlobal('sessionStorage', fakeStorage())
      const own = await openDraft({ ...before, cityId: 'Lille' })
      expect([own.restored?.cityId, own.takeOvertaken()]).toEqual(['Lille', { countryId: 'FR', cityId: 'Nice' }])
    })

    it('that is dropped leaves what was typed since', async () => {
      const own = await later()
      own.change({ ...saved, teams: [{ clubName: 'FC' }] })
      own.dropOvertaken()
      const again = await openDraft(saved)
      expect([again.restored, again.isOvertaken()]).toEqual([{ ...saved, teams: [{ clubName: 'FC' }] }, false])
    })

    it('in the tab in which it was typed, it stays', async () => {
      const own = await openDraft(saved)
      expect([own.restored, own.isOvertaken()]).toEqual([typed, false])
    })
  })

  it('that a form was opened with is replaced by further typing, and only once', async () => {
    ;(await openDraft(start)).change({ ...start, firstName: 'B' })
    vi.stubGlobal('sessionStorage', fakeStorage())
    const own = await openDraft(start)
    own.change({ ...start, firstName: 'Bo' })
    own.noteSaved({ values: { ...start, firstName: 'Bo' } })
    expect(await readDraft(place, start)).toBeUndefined()
  })

  it('of each tab is restored in it, and in a new one the newest that no open page has', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const [a, b] = [fakeStorage(), fakeStorage()]
    vi.stubGlobal('sessionStorage', a)
    ;(await openDraft(start)).change({ ...start, firstName: 'A' })
    vi.advanceTimersByTime(1)
    vi.stubGlobal('sessionStorage', b)
    const second = new OwnDraft(place, { values: start }, undefined)
    second.change({ ...start, firstName: 'B' })
    expect((await readDraft(place, start))?.firstName).toBe('B')
    vi.stubGlobal('sessionStorage', a)
    expect((await readDraft(place, start))?.firstName).toBe('A')
    vi.stubGlobal('sessionStorage', fakeStorage())
    expect((await readDraft(place, start))?.firstName).toBe('B')
    second.noteSaved({ values: { ...start, firstName: 'B' } })
    expect((await readDraft(place, start))?.firstName).toBe('A')
  })

  it('that another open page has is neither shown nor removed, until that page is gone', async () => {
    const stored = JSON.stringify({ firstName: 'B', savedBefore: { firstName: start.firstName }, sends: [] })
    localStorage.setItem(theirs, stored)
    const close = await ownedElsewhere(theirs)
    const own = await openDraft(start)
    expect(own.restored).toBeUndefined()
    own.change({ ...start, firstName: 'C' })
    own.noteSaved({ values: { ...start, firstName: 'C' } })
    own.remove()
    expect(localStorage.getItem(theirs)).toBe(stored)
    await close()
    expect((await openDraft({ ...start, firstName: 'C' })).takeOvertaken()).toEqual({ firstName: 'B' })
  })

  it('of this tab waits for the page before, which is just being left', async () => {
    const stored = JSON.stringify({ firstName: 'B', savedBefore: { firstName: start.firstName }, sends: [] })
    localStorage.setItem(theirs, stored)
    sessionStorage.setItem('draft:player-details:', theirs)
    const close = await ownedElsewhere(theirs)
    const opened = openDraft(start)
    await close()
    expect((await opened).restored).toEqual({ ...start, firstName: 'B' })
  })

  it('is not that of the original in a duplicated tab, which has its key', async () => {
    localStorage.setItem(theirs, JSON.stringify({ firstName: 'B' }))
    sessionStorage.setItem('draft:player-details:', theirs)
    const close = await ownedElsewhere(theirs)
    expect(await readDraft(place, start)).toBeUndefined()
    expect(sessionStorage.getItem('draft:player-details:')).toBeNull()
    await close()
  })

  it('equal to the stored values hides no other, and is removed once those are saved', async () => {
    const typed = { ...start, firstName: 'A' }
    const same = { ...start, firstName: 'B' }
    const [first, second, third] = [await openDraft(start), await openDraft(start), await openDraft(start)]
    first.change(typed)
    vi.stubGlobal('sessionStorage', fakeStorage())
    second.change(same)
    // saved on another device meanwhile
    expect((await openDraft(same)).takeOvertaken()).toEqual({ firstName: typed.firstName })
    ;(await openDraft(same)).change({ ...start, firstName: 'Al' })
    expect((await readDraft(place, same))?.firstName).toBe('Al')
    third.noteSaved({ values: same })
    expect(Object.keys(localStorage)).toHaveLength(1)
  })

  it('of an earlier app, whose tabs had one draft, is found', async () => {
    localStorage.setItem('draft:player-details:u1', JSON.stringify({ ...start, firstName: 'B' }))
    expect((await readDraft(place, start))?.firstName).toBe('B')
    ;(await openDraft(start)).remove()
    expect(await readDraft(place, start)).toBeUndefined()
  })

  it('for a day is gone after it, whichever tab it is of', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const ofDay = { form: 'onboarding', owner: 'guest', isForADay: true }
    for (const name of ['A', 'B']) (await openDraft(start, ofDay)).change({ ...start, firstName: name })
    vi.advanceTimersByTime(25 * 3_600_000)
    expect(await readDraft(ofDay, start)).toBeUndefined()
    expect(Object.keys(localStorage)).toEqual([])
  })

  it('that was found is removed once it is saved', async () => {
    ;(await openDraft(start)).change({ ...start, firstName: 'B' })
    ;(await openDraft(start)).noteSaved({ values: { ...start, firstName: 'B' } })
    expect(await readDraft(place, start)).toBeUndefined()
  })

  it('whose later form a full storage refused is removed once that is saved', async () => {
    const own = await openDraft(start)
    own.change({ ...start, firstName: 'B' })
    const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    own.change({ ...start, firstName: 'Bo' })
    full.mockRestore()
    own.noteSaved({ values: { ...start, firstName: 'Bo' } })
    expect(await readDraft(place, { ...start, firstName: 'Bo' })).toBeUndefined()
  })

  it('of another shape cannot break the form', async () => {
    expect(overlay(start, { firstName: 7, birth: 'x', teams: 'y', extra: 1 })).toEqual(start)
    expect(overlay(start, { teams: [null, { clubName: 3 }, { clubName: 'AS' }] }).teams).toEqual([{ clubName: 'AS' }])
  })

  it('causes no error if storage is full or blocked', async () => {
    const closed = () => {
      throw new Error('closed')
    }
    vi.stubGlobal('localStorage', new Proxy({}, { get: closed, ownKeys: closed }))
    const own = await openDraft(start)
    own.change({ ...start, firstName: 'B' })
    own.noteSaved({ values: { ...start, firstName: 'B' } })
    expect(await readDraft(place, start)).toBeUndefined()
  })
})
