import { describe, expect, it } from 'vitest'
import { coachFigures } from '#app/screens/team/people.ts'
import { player } from './team.ts'

describe('the coach’s summary block (HOME-3)', () => {
  it('a player who completed counts as started, and one with two assessments counts once', () => {
    const team = [
      player({ userEmail: 'ana@club.test' }),
      player({ userEmail: 'ben@club.test', status: 'IN_PROGRESS' }),
      player({ userEmail: 'cy@club.test', status: 'COMPLETED' }),
      player({ userEmail: 'cy@club.test', status: 'IN_PROGRESS' }),
      player({ userEmail: 'di@club.test', status: 'COMPLETED' }),
    ]
    expect(coachFigures(team)).toEqual({ invited: 4, started: 3, completed: 2 })
    expect(coachFigures(undefined)).toEqual({ invited: undefined, started: undefined, completed: undefined })
  })
})
