import { describe, expect, it } from 'vitest'
import { includesEdits } from '#app/parts/details/merge.ts'
import { givenStorages, openDraft, place, readDraft, start } from './drafts.ts'

const birth = (year: string) => ({ ...start, birth: { month: '', year } })

/** Of an edited row most fields stay the same. */
const rowOf = (clubName: string) => ({ clubName, teamName: `${clubName[0]} team`, ageGroup: `${clubName[0]} age` })

givenStorages()

describe('a draft, beside what is saved elsewhere or was sent without a reply', () => {
  it('has what another tab has saved meanwhile, where nothing was typed', async () => {
    ;(await openDraft(start)).change({ ...start, firstName: 'B' })
    const saved = { ...start, birth: { month: '05', year: '2006' }, teams: [{ clubName: 'AS' }] }
    expect(await readDraft(place, saved)).toEqual({ ...saved, firstName: 'B' })
  })

  it('has the rows and the parts that another tab has saved meanwhile, beside those that were typed', async () => {
    const before = { ...start, birth: { month: '05', year: '2006' }, teams: [{ clubName: 'AS' }, { clubName: 'BSC' }] }
    ;(await openDraft(before)).change({
      ...before,
      birth: { month: '03', year: '2006' },
      teams: [{ clubName: 'AS Roma' }, { clubName: 'BSC' }],
    })
    const saved = { ...before, birth: { month: '05', year: '2005' }, teams: [{ clubName: 'AS' }, { clubName: 'CF' }] }
    expect(await readDraft(place, saved)).toEqual({
      ...saved,
      birth: { month: '03', year: '2005' },
      teams: [{ clubName: 'AS Roma' }, { clubName: 'CF' }],
    })
  })

  it.each([
    ['edited here, added there', ['A', 'B'], ['A2', 'B'], ['A', 'B', 'C'], ['A2', 'B', 'C']],
    ['edited there, added here', ['A', 'B'], ['A', 'B', 'C'], ['A2', 'B'], ['A2', 'B', 'C']],
    ['edited here, removed there', ['A', 'B'], ['A2', 'B'], ['B'], ['A2', 'B']],
    ['removed here, edited there', ['A', 'B'], ['B'], ['A', 'B2'], ['B2']],
    ['the same row removed here, edited there', ['A', 'B'], ['A'], ['A', 'B2'], ['A', 'B2']],
    ['added in both', ['A'], ['A', 'X'], ['A', 'Y'], ['A', 'X', 'Y']],
    ['the same row added in both', ['A'], ['A', 'X '], ['A', 'X'], ['A', 'X']],
    ['the same row edited in both', ['A', 'B'], ['A2', 'B'], ['A3', 'B'], ['A2', 'B']],
    ['edited here, one removed and one added there', ['A', 'B'], ['A', 'B2'], ['B', 'C'], ['B2', 'C']],
    ['edited here, it removed and one added there', ['A', 'B'], ['A2', 'B'], ['B', 'C'], ['A2', 'B', 'C']],
    ['removed in both, one added here', ['A', 'B'], ['B', 'C'], ['B'], ['B', 'C']],
    ['removed and another edited there', ['A', 'B'], ['A2', 'B'], ['B2'], ['A2', 'B2']],
    ['removed and another edited here', ['A', 'B'], ['B2'], ['A2', 'B'], ['A2', 'B2']],
    ['edited in both, each another', ['A', 'B'], ['A2', 'B'], ['A', 'B2'], ['A2', 'B2']],
    ['twice the same, one removed here, one added there', ['A', 'A'], ['A'], ['A', 'A', 'B'], ['A', 'B']],
  ])('has a list of which rows were %s', async (_, base, typed, saved, expected) => {
    const listOf = (names: string[]) => ({ ...start, teams: names.map(rowOf) })
    ;(await openDraft(listOf(base))).change(listOf(typed))
    // undefined: nothing differs from what is saved
    expect((await readDraft(place, listOf(saved))) ?? listOf(saved)).toEqual(listOf(expected))
  })

  it('has of a row what either has edited, and a town with its country', async () => {
    const team = { ...rowOf('A'), country: 'Canada', location: 'Ottawa' }
    const of = (row: object) => ({ ...start, teams: [{ ...team, ...row }] })
    ;(await openDraft(of({}))).change(of({ teamName: 'A2', location: 'Toronto' }))
    expect(await readDraft(place, of({ country: 'France', location: 'Lyon' }))).toEqual(of({ teamName: 'A2', location: 'Toronto' }))
    expect(await readDraft(place, of({ ageGroup: 'U9' }))).toEqual(of({ teamName: 'A2', location: 'Toronto', ageGroup: 'U9' }))
  })

  it.each([
    ['corrected', 'New 2', ['A', 'New 2']],
    ['removed', undefined, ['A']],
  ])('has a row once that was sent and %s before the reply', async (_, now, expected) => {
    const listOf = (names: (string | undefined)[]) => ({ ...start, teams: names.filter((name) => name !== undefined).map(rowOf) })
    const [sent, typed] = [listOf(['A', 'New']), listOf(['A', now])]
    const own = await openDraft(listOf(['A']))
    const { sent: one } = own.edits.noteSending(sent)
    own.change(typed)
    expect(includesEdits(listOf(['A', 'Other']), one)).toBe(false)
    expect(includesEdits(listOf(['A', 'New', 'Other']), one)).toBe(true)
    for (const others of [[], ['Other']]) {
      const [saved, shown] = [listOf(['A', 'New', ...others]), listOf([...expected, ...others])]
      expect(own.edits.mergedWith(saved, typed)).toEqual(shown)
      // after a reload, also of a page that shows an older profile first
      expect(await readDraft(place, saved)).toEqual(shown)
      if (now !== undefined) expect((await openDraft(listOf(['A']))).edits.mergedWith(saved, typed)).toEqual(shown)
    }
  })

  it('keeps a city with the country for which it was chosen', async () => {
    const before = { countryId: 'Canada', cityId: 'Ottawa' }
    ;(await openDraft(before)).change({ ...before, cityId: 'Toronto' })
    const saved = { countryId: 'United States', cityId: 'Chicago' }
    expect(await readDraft(place, saved)).toEqual({ countryId: 'Canada', cityId: 'Toronto' })
  })

  it('has a field that was put back after it was sent, until it is known that it was not saved', async () => {
    const own = await openDraft(start)
    const sent = { ...start, firstName: 'B' }
    own.change(sent)
    const first = own.edits.noteSending(sent)
    expect(first.edited.fields).toEqual(['firstName'])
    own.change(start)
    expect(own.isUnsaved()).toBe(true)
    // also after a reload, whether that save has arrived by then or not
    expect(await readDraft(place, sent)).toEqual(start)
    expect(await readDraft(place, start)).toEqual(start)
    // it is saved again without the reply to the first save
    const second = own.edits.noteSending(start)
    expect(second.edited.fields).toEqual(['firstName'])
    expect(own.noteNotSaved(second.sent)).toBe(true)
    expect(own.isUnsaved()).toBe(true)
    expect(own.noteNotSaved(first.sent)).toBe(true)
    expect(own.isUnsaved()).toBe(false)
    expect(await readDraft(place, start)).toBeUndefined()
    expect(own.noteNotSaved(first.sent)).toBe(false)
  })

  it('has parts that were put back after they were sent, also after a reload', async () => {
    const birthOf = (month: string, year: string) => ({ ...start, birth: { month, year } })
    const [before, sent, typed] = [birthOf('03', '2005'), birthOf('07', '2004'), birthOf('03', '2006')]
    const own = await openDraft(before)
    own.change(sent)
    own.edits.noteSending(sent)
    own.change(typed)
    expect(own.edits.mergedWith(sent, typed)).toEqual(typed)
    expect(await readDraft(place, sent)).toEqual(typed)
  })

  it('knows what was sent although another device has changed another part of it', async () => {
    const of = (firstName: string, month: string, year: string, names: string[]) => ({
      firstName,
      birth: { month, year },
      teams: names.map(rowOf),
    })
    const [before, sent] = [of('Ada', '03', '2005', ['A']), of('Zoe', '07', '2004', ['A', 'New'])]
    const typed = of('Zoe', '03', '2004', ['A', 'New 2'])
    const own = await openDraft(before)
    own.change(sent)
    own.edits.noteSending(sent)
    own.change(typed)
    const saved = of('Mia', '07', '2003', ['A', 'New'])
    expect(own.edits.mergedWith(saved, typed)).toEqual(typed)
    expect(await readDraft(place, saved)).toEqual(typed)
  })

  it('has a field that was put back and sent so, without a reply to either', async () => {
    const [sent, other] = [{ ...start, firstName: 'B' }, birth('2006')]
    const own = await openDraft(start)
    for (const values of [sent, start]) {
      own.change(values)
      own.edits.noteSending(values)
    }
    expect(own.edits.unsaved(other)).toEqual({ firstName: 'Ada', birth: { year: '2006' } })
    own.change(other)
    expect(await readDraft(place, sent)).toEqual(other)
  })

  it('knows in the next form, too, what was sent', async () => {
    const listOf = (names: string[]) => ({ ...start, teams: names.map(rowOf) })
    const [sent, corrected] = [listOf(['A', 'New']), listOf(['A', 'New 2'])]
    const left = await openDraft(listOf(['A']))
    left.change(sent)
    left.edits.noteSending(sent)
    left.change(sent)
    const own = await openDraft(listOf(['A']))
    own.change(corrected)
    expect(own.edits.mergedWith(sent, corrected)).toEqual(corrected)
  })

  it('has nothing that another device has saved since something else was sent', async () => {
    const before = { ...start, lastName: 'Berg' }
    const own = await openDraft(before)
    const sent = { ...before, firstName: 'B' }
    own.change(sent)
    own.edits.noteSending(sent)
    own.edits.noteSavedElsewhere({ values: { ...before, lastName: 'Device' } })
    own.change({ ...sent, lastName: 'Device' })
    expect(own.edits.unsaved({ ...sent, lastName: 'Device' })).toEqual({ firstName: 'B' })
    own.edits.noteSavedElsewhere({ values: { ...sent, lastName: 'Device' } })
    own.change({ ...sent, lastName: 'Device' })
    expect(own.isUnsaved()).toBe(false)
  })
})
