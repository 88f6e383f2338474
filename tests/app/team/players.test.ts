import { describe, expect, it } from 'vitest'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { fold } from '#app/ui/forms/fuzzy.ts'
import { positionOf } from '#app/screens/team/table/columns.tsx'
import { countPlayers, rowKeys, sorted, stableRows, teamDescriber } from '#app/screens/team/table/players.ts'
import { coachFigures } from '#app/screens/team/people.ts'
import { choicesOf, leavesBy, matching } from '#app/screens/team/table/search.ts'
import { orDash, type TeamFilter, type TeamView } from '#app/screens/team/team-player.ts'
import { everything, player, resultOf, teamOf, words } from './team.ts'

/** How the team table searches, filters and sorts (TEAM-1, TEAM-6). */

const names = (team: ReturnType<typeof teamOf>) => team.map(({ cells }) => cells.player)
const instancesOf = (team: ReturnType<typeof teamOf>) => team.map(({ instance }) => instance)
/** The choices of a filter, each with the number of players it says it leaves. */
const offered = (team: ReturnType<typeof teamOf>, filter: TeamFilter, view = everything) =>
  choicesOf(team, filter, 'en').map(({ value }) => `${value} ${leavesBy(team, view)(filter, value)}`)

describe('the cells of a row', () => {
  it('the result is its available parts, or a dash', () => {
    const Section1 = { value: 'free', result: 'Free Play', styles: ['Free Play', 'Wide View'].map((result) => ({ value: result, result })) }
    const axes = [
      { axis: 'EI', first: 'E', second: 'I', letter: 'E' },
      { axis: 'TF', first: 'T', second: 'F', letter: null },
    ]
    const [one, none] = teamOf([player({ results: { Section1, section2: { value: 'ET', label: 'ET', axes } } }), player({ results: null })])
    expect(one?.cells.result).toBe('Free Play / Wide View E T/F')
    expect(orDash(none?.cells.result ?? 'x')).toBe('-')
  })

  it('a missing player type is POTENTIAL, and other missing values are a dash', () => {
    const [one] = teamOf([player({ userName: null, userLastname: null, userTeam: null, userPlayerType: null, userPositionName: null })])
    expect(one?.cells).toMatchObject({ type: 'type POTENTIAL', player: '', team: '', position: '', date: '' })
    expect(orDash(one?.cells.player ?? 'x')).toBe('-')
  })

  it('a position from the profile is spelled as in the list of positions, if it is there', () => {
    expect(['goalkeeper', 'Center Back', 'defence-left', null].map((userPositionName) => positionOf(player({ userPositionName })))).toEqual(
      ['Goalkeeper', 'Center Back', 'defence-left', ''],
    )
  })

  it('a row that did not change stays the same object', () => {
    const describeTeam = teamDescriber(words)
    const [first, second] = [player({ userName: 'Ann' }), player({ userName: 'Bea' })]
    const before = describeTeam([first, second])
    const after = describeTeam([first, { ...second, userTeam: 'U17' }])
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
    expect(after[1]?.cells.team).toBe('U17')
  })
})

describe('search and filters', () => {
  const team = teamOf([
    player({ userName: 'Élodie', userLastname: 'Côté-Roy', userEmail: 'elodie@club.test', userTeam: 'U17', userPositionName: 'Winger' }),
    player({
      userName: 'Zoë',
      userLastname: 'Ng',
      userEmail: 'zoe@roy.test',
      userPositionName: 'Striker',
      results: resultOf('wide', 'Wide View', 'ISTJ'),
    }),
  ])
  const found = (change: Partial<TeamView>) => names(matching(team, { ...everything, ...change }))

  it('finds without accents, case and hyphens, each word somewhere in name, e-mail or team', () => {
    expect(found({ search: 'elodie COTE roy' })).toEqual(['Élodie Côté-Roy'])
    expect(found({ search: 'ZOÉ' })).toEqual(['Zoë Ng'])
    expect(found({ search: 'roy' })).toEqual(['Élodie Côté-Roy', 'Zoë Ng'])
    expect(found({ search: 'u17' })).toEqual(['Élodie Côté-Roy'])
    expect(found({ search: 'nobody' })).toEqual([])
    // typed on another keyboard: letter and accent apart
    expect(found({ search: 'E\u0301lodie' })).toEqual(['Élodie Côté-Roy'])
  })

  it('filters by result and by position, together with the search', () => {
    expect(found({ result: 'wide ISTJ' })).toEqual(['Zoë Ng'])
    expect(found({ position: 'Winger' })).toEqual(['Élodie Côté-Roy'])
    expect(found({ position: 'Winger', search: 'zoe' })).toEqual([])
  })

  it('offers each value once, in the language’s order', () => {
    expect(choicesOf(team, 'position', 'en').map(({ value }) => value)).toEqual(['Striker', 'Winger'])
    expect(choicesOf(team, 'result', 'fr')).toEqual([{ value: 'wide ISTJ', label: 'Wide View ISTJ' }])
  })

  it('finds by the other texts of a row: status, result, position and type', () => {
    for (const search of ['wide', 'istj wide', 'striker', 'potential zoe']) expect(found({ search })).toContain('Zoë Ng')
    expect(found({ search: 'striker' })).toEqual(['Zoë Ng'])
    expect(found({ search: 'status allocated' })).toHaveLength(2)
  })

  it('filters by status, with an invitation that did not arrive as a status of its own', () => {
    const squad = teamOf([
      player({ userName: 'Waits', invitation: 'sent' }),
      player({ userName: 'Lost', invitation: 'refused' }),
      player({ userName: 'Begun', status: 'IN_PROGRESS', invitation: 'refused' }),
    ])
    const by = (status: string) => names(matching(squad, { ...everything, status }))
    expect([by('ALLOCATED'), by('NOT_DELIVERED'), by('IN_PROGRESS')]).toEqual([['Waits'], ['Lost'], ['Begun']])
    expect(offered(squad, 'status')).toEqual(['ALLOCATED 1', 'IN_PROGRESS 1', 'NOT_DELIVERED 1'])
  })

  it('filters by style, by one letter and by all four', () => {
    const typed = (userName: string, style: string, letters: string) =>
      player({ userName, results: resultOf(style, `${style} words`, letters) })
    const squad = teamOf([
      typed('Al', 'wide', 'ISTJ'),
      typed('Bo', 'free', 'ISTJ'),
      typed('Cy', 'wide', 'ENTP'),
      player({ userName: 'Di' }),
    ])
    const by = (change: Partial<TeamView>) => names(matching(squad, { ...everything, ...change }))
    expect(by({ style: 'wide' })).toEqual(['Al', 'Cy'])
    expect(by({ letters: 'T' })).toEqual(['Al', 'Bo', 'Cy'])
    expect(by({ letters: 'I', style: 'wide' })).toEqual(['Al'])
    expect(by({ letters: 'ISTJ' })).toEqual(['Al', 'Bo'])
    expect(choicesOf(squad, 'style', 'en')).toEqual([
      { value: 'free', label: 'free words' },
      { value: 'wide', label: 'wide words' },
    ])
    expect(offered(squad, 'letters')).toEqual(['E 1', 'I 2', 'N 1', 'S 2', 'T 3', 'J 2', 'P 1', 'ENTP 1', 'ISTJ 2'])
  })

  it('filters by letter and style match clear results only, and results between two have their own choices', () => {
    const result = (styles: string[], letters: string): AllocatedInstance['results'] => {
      const given = styles.map((value) => ({ value, result: `${value} words` }))
      const axes = letters
        .split(' ')
        .map((one) => ({ axis: one, first: one[0] ?? '', second: one.at(-1) ?? '', letter: one.length === 1 ? one : null }))
      return {
        Section1: { value: styles[0] ?? '', result: `${styles[0]} words`, styles: given },
        section2: { value: 'x', label: 'x', axes },
      }
    }
    const squad = teamOf([
      player({ userName: 'Al', results: result(['wide'], 'I T') }),
      player({ userName: 'Bo', results: result(['wide', 'free'], 'I T/F') }),
      player({ userName: 'Cy', results: result(['free', 'wide', 'plan', 'play'], 'E/I T/F') }),
    ])
    const by = (change: Partial<TeamView>) => names(matching(squad, { ...everything, ...change }))
    // two that lie between the same two styles are one choice, whichever is nearer
    const alike = teamOf([player({ results: result(['wide', 'free'], 'I') }), player({ results: result(['free', 'wide'], 'I') })])
    expect(choicesOf(alike, 'result', 'en')).toHaveLength(1)
    expect([by({ letters: 'T' }), by({ letters: 'I' }), by({ letters: 'I T/F' })]).toEqual([['Al'], ['Al', 'Bo'], ['Bo']])
    expect([by({ style: 'wide' }), by({ style: 'between' })]).toEqual([['Al'], ['Bo', 'Cy']])
    expect(offered(squad, 'letters')).toEqual(['I 2', 'T 1', 'E/I T/F 1', 'I T/F 1', 'IT 1'])
    expect(choicesOf(squad, 'style', 'en').map(({ label }) => label)).toEqual(['between styles', 'wide words'])
    expect(squad.map(({ cells }) => cells.result)).toEqual(['wide words IT', 'free words / wide words I T/F', 'no clear style E/I T/F'])
  })

  it('says for each choice how many players it leaves, given the search and the other filters', () => {
    const squad = teamOf([
      player({ userName: 'Al Roy', status: 'COMPLETED', userPositionName: 'Striker' }),
      player({ userName: 'Bo Roy', status: 'COMPLETED', userPositionName: 'Winger' }),
      player({ userName: 'Cy Ng', status: 'COMPLETED', userPositionName: 'Striker' }),
      player({ userName: 'Di Ng', userPositionName: 'Striker' }),
    ])
    const view = { ...everything, status: 'COMPLETED', search: 'roy' }
    expect(offered(squad, 'position', view)).toEqual(['Striker 1', 'Winger 1'])
    // within a filter in use: what each of its choices would leave
    expect(offered(squad, 'status', { ...everything, status: 'COMPLETED', position: 'Striker' })).toEqual(['ALLOCATED 1', 'COMPLETED 2'])
    for (const position of ['Striker', 'Winger'])
      expect(leavesBy(squad, view)('position', position)).toBe(countPlayers(matching(squad, { ...view, position })))
  })

  it('counts a player with two assessments once, and each erased account as one player', () => {
    const again = { userEmail: 'Al@club.test', userName: 'Al' }
    const squad = teamOf([
      player({ ...again, status: 'COMPLETED' }),
      player({ ...again, userEmail: 'al@club.test' }),
      player({ userEmail: '', userName: 'Deleted player', status: 'COMPLETED' }),
      player({ userEmail: '', userName: 'Deleted player', status: 'COMPLETED' }),
    ])
    expect(coachFigures(instancesOf(squad))).toEqual({ invited: 3, started: 3, completed: 3 })
    expect(offered(squad, 'status')).toEqual(['ALLOCATED 1', 'COMPLETED 3'])
    expect(countPlayers(squad)).toBe(3)
  })

  it('folds Ł and Œ, which have no accent to remove', () => {
    expect(fold('Łódź Œuvre')).toBe('lodz oeuvre')
  })
})

describe('order', () => {
  it('of names follows the language, in both directions', () => {
    const team = teamOf(['Zoe', 'Émile', 'Eva', 'anna', 'Ed'].map((userName) => player({ userName })))
    const ascending = ['anna', 'Ed', 'Émile', 'Eva', 'Zoe']
    expect(names(sorted(team, everything, 'fr'))).toEqual(ascending)
    expect(names(sorted(team, { ...everything, isDescending: true }, 'fr'))).toEqual(ascending.toReversed())
  })

  it('has empty cells last in both directions, and ties by name', () => {
    const team = teamOf([
      player({ userName: 'Cy', userTeam: null }),
      player({ userName: 'Bo', userTeam: 'U17' }),
      player({ userName: 'Al', userTeam: 'U17' }),
      player({ userName: 'Di', userTeam: 'U15' }),
    ])
    expect(names(sorted(team, { ...everything, sort: 'team' }, 'en'))).toEqual(['Di', 'Al', 'Bo', 'Cy'])
    expect(names(sorted(team, { ...everything, sort: 'team', isDescending: true }, 'en'))).toEqual(['Al', 'Bo', 'Di', 'Cy'])
  })

  it('of statuses is by stage, of dates by time', () => {
    const team = teamOf([
      player({ userName: 'Done', status: 'COMPLETED', completedDate: '2026-03-02T10:00:00.000Z' }),
      player({ userName: 'Open', status: 'IN_PROGRESS' }),
      player({ userName: 'New', status: 'ALLOCATED' }),
      player({ userName: 'Early', status: 'COMPLETED', completedDate: '2025-12-24T10:00:00.000Z' }),
    ])
    expect(names(sorted(team, { ...everything, sort: 'status' }, 'en'))).toEqual(['New', 'Open', 'Done', 'Early'])
    expect(names(sorted(team, { ...everything, sort: 'date', isDescending: true }, 'en'))).toEqual(['Done', 'Early', 'New', 'Open'])
  })
})

describe('a row that is being edited', () => {
  const [ann, bea] = [player({ userName: 'Ann', userTeam: 'A' }), player({ userName: 'Bea', userTeam: 'B' })]
  const view: TeamView = { ...everything, sort: 'team' }

  it('stays in place when its new value sorts elsewhere, until another view or page is chosen', () => {
    const rows = stableRows()
    expect(names(rows(teamOf([ann, bea]), view, 0, 'en'))).toEqual(['Ann', 'Bea'])
    const edited = teamOf([{ ...ann, userTeam: 'Z' }, bea])
    expect(names(rows(edited, view, 0, 'en'))).toEqual(['Ann', 'Bea'])
    expect(rows(edited, view, 0, 'en')[0]?.cells.team).toBe('Z')
    expect(names(rows(edited, view, 1, 'en'))).toEqual(['Bea', 'Ann'])
    const again = teamOf([{ ...ann, userTeam: 'A' }, bea])
    expect(names(rows(again, view, 1, 'en'))).toEqual(['Bea', 'Ann'])
    expect(names(rows(again, { ...view }, 1, 'en'))).toEqual(['Ann', 'Bea'])
  })

  it('stays in place when it no longer matches the filter', () => {
    const rows = stableRows()
    const filtered: TeamView = { ...everything, position: 'Winger' }
    const winger = { ...ann, userPositionName: 'Winger' }
    rows(teamOf([winger, bea]), filtered, 0, 'en')
    expect(names(rows(teamOf([{ ...winger, userPositionName: 'Striker' }, bea]), filtered, 0, 'en'))).toEqual(['Ann'])
  })

  it('is sorted again when a row is added or removed', () => {
    const rows = stableRows()
    rows(teamOf([ann, bea]), view, 0, 'en')
    const third = player({ userName: 'Cy', userTeam: 'AA' })
    expect(names(rows(teamOf([ann, bea, third]), view, 0, 'en'))).toEqual(['Ann', 'Cy', 'Bea'])
    expect(names(rows(teamOf([bea]), view, 0, 'en'))).toEqual(['Bea'])
  })
})

describe('the key of a row', () => {
  const [ann, bea, cy, dan] = ['Ann', 'Bea', 'Cy', 'Dan'].map((userName) => player({ userName })) as [
    AllocatedInstance,
    AllocatedInstance,
    AllocatedInstance,
    AllocatedInstance,
  ]

  it('stays with its player, wherever the row is shown', () => {
    const { keysFor: keys } = rowKeys()
    expect(keys(teamOf([ann, bea]))).toEqual([0, 1])
    expect(keys(teamOf([cy, ann, bea]))).toEqual([2, 0, 1])
    expect(keys(teamOf([bea, cy]))).toEqual([1, 2])
  })

  it('is reused for other players, so that a page renders no new rows', () => {
    const { keysFor: keys } = rowKeys()
    keys(teamOf([ann, bea]))
    expect(keys(teamOf([cy, dan]))).toEqual([0, 1])
    expect(keys(teamOf([bea, cy]))).toEqual([1, 0])
    expect(keys([])).toEqual([])
  })

  it('is not reused if it had the focus', () => {
    const { keysFor, noteFocus } = rowKeys()
    keysFor(teamOf([ann, bea]))
    noteFocus(bea.instanceId)
    expect(keysFor(teamOf([ann, cy]))).toEqual([0, 2])
    expect(keysFor(teamOf([dan, cy]))).toEqual([0, 2])
  })
})
