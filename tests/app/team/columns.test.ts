import { describe, expect, it } from 'vitest'
import { cellsOf, columns, csvOf, paperOf, sortKeyOf } from '#app/screens/team/table/columns.tsx'
import { describePlayer } from '#app/screens/team/table/players.ts'
import { TEAM_COLUMNS } from '#app/screens/team/team-player.ts'
import { player, words } from './team.ts'

/** The columns of the team table: the cell, the sort key, in the file and on paper (TEAM-1). */

const row = (change: Parameters<typeof player>[0]) => describePlayer(player(change), words)

it('every column has a heading of its own', () => {
  expect(new Set(TEAM_COLUMNS.map((column) => columns[column].heading)).size).toBe(TEAM_COLUMNS.length)
})

it('a row without values has empty cells but for status and player type', () => {
  const cells = cellsOf(player({ userName: null, userEmail: '' }), words)
  expect(cells).toEqual({
    player: '',
    email: '',
    status: 'status ALLOCATED',
    date: '',
    team: '',
    type: 'type POTENTIAL',
    position: '',
    result: '',
  })
})

describe('the order', () => {
  it('is by text, for addresses without case, and for statuses by stage', () => {
    const ana = row({ userName: 'Ana', userEmail: 'Ana@Club.test', status: 'COMPLETED' })
    expect([sortKeyOf(ana, 'player'), sortKeyOf(ana, 'email')]).toEqual(['Ana', 'ana@club.test'])
    expect(Number(sortKeyOf(ana, 'status'))).toBeGreaterThan(Number(sortKeyOf(row({ status: 'IN_PROGRESS' }), 'status')))
  })
})

describe('the file', () => {
  it('has a dash for what is missing, and the day of an instant', () => {
    expect(csvOf(row({ userTeam: null }), 'team')).toBe('-')
    expect(csvOf(row({ completedDate: '2026-03-04T12:00:00Z' }), 'date')).toBe('2026-03-04')
  })
})

describe('the printed sheet', () => {
  it('names a player without a name by the address', () => {
    expect(paperOf(row({ userName: null, userEmail: 'cy@club.test' }), 'player')).toBe('cy@club.test')
  })

  it('shows how far somebody is, and an invitation that did not arrive', () => {
    expect(paperOf(row({ status: 'IN_PROGRESS', answeredCount: 7 }), 'status')).toBe('status IN_PROGRESS 7/112')
    expect(paperOf(row({ status: 'ALLOCATED', invitation: 'refused' }), 'status')).toBe('status NOT_DELIVERED')
  })
})
