import { describe, expect, it } from 'vitest'
import { csvOf, paperOf } from '#app/screens/team/table/columns.tsx'
import { teamCsv } from '#app/screens/team/table/csv.ts'
import { localDay } from '#app/i18n/times.ts'
import { player, resultOf, teamOf } from './team.ts'

const headings = {
  player: 'Player',
  email: 'Email',
  status: 'Status',
  date: 'Assessment Date',
  team: 'Team',
  type: 'Player Type',
  position: 'Position',
  result: 'Result',
}

describe('the file of the team', () => {
  const done = player({
    userName: 'Élodie',
    userLastname: 'O’Neil, jr "Ed"',
    userEmail: 'e@club.test',
    status: 'COMPLETED',
    completedDate: new Date(2026, 2, 1, 12).toISOString(),
    userTeam: 'U17; A',
    userPlayerType: 'CURRENT',
    results: resultOf('free', 'Free Play', 'ENFP'),
  })

  it('begins with a byte order mark, has the table’s columns without the report, and ends its lines with CRLF', () => {
    expect(teamCsv(teamOf([done]), headings, 'en')).toBe(
      '\uFEFFPlayer,Email,Status,Assessment Date,Team,Player Type,Position,Result\r\n' +
        '"Élodie O’Neil, jr ""Ed""",e@club.test,status COMPLETED,2026-03-01,"U17; A",type CURRENT,-,Free Play ENFP\r\n',
    )
  })

  it('separates cells by ; in French', () => {
    const [head] = teamCsv(teamOf([done]), headings, 'fr').split('\r\n')
    expect(head).toBe('\uFEFFPlayer;Email;Status;Assessment Date;Team;Player Type;Position;Result')
  })

  it.each(['=1+1', '+1', '-1', '@sum', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠sum'])(
    '%j is written as text, not as a formula',
    (text) => {
      const file = teamCsv(teamOf([player({ userTeam: text })]), headings, 'en')
      expect(file).toContain(`'${text}`)
    },
  )

  it('a name that a coach typed is written as text too', () => {
    const typed = player({ userName: '=HYPERLINK("https://club.test")', userLastname: null })
    expect(teamCsv(teamOf([typed]), headings, 'en').split('\r\n')[1]).toMatch(/^"'=HYPERLINK\(""https/)
    expect(teamCsv(teamOf([player({ userName: 'Ana Silva' })]), headings, 'en').split('\r\n')[1]).toMatch(/^Ana Silva,/)
  })

  it('a missing value is a dash', () => {
    expect(teamCsv(teamOf([player({ userName: null, userEmail: 'x@club.test' })]), headings, 'en').split('\r\n')[1]).toBe(
      '-,x@club.test,status ALLOCATED,-,-,type POTENTIAL,-,-',
    )
  })

  it.each([
    { status: 'IN_PROGRESS', answeredCount: 7 },
    { status: 'ALLOCATED', invitation: 'refused' },
    { status: 'ALLOCATED', invitation: null },
    { status: 'COMPLETED' },
  ] as const)('the status is that of the printed sheet: %o', (change) => {
    for (const one of teamOf([player(change)])) expect(csvOf(one, 'status')).toBe(paperOf(one, 'status'))
  })

  it('days are in the reader’s time zone', () => {
    expect(localDay(new Date(2026, 10, 5, 23, 59).getTime())).toBe('2026-11-05')
  })
})
