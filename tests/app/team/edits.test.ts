import { expect, it } from 'vitest'
import { withPending } from '#app/screens/team/table/edits.ts'
import { player } from './team.ts'

const row = player({ userTeam: 'U15', userPlayerType: 'CURRENT' })
const other = player()

it('an edit that is being saved shows at once, on its own row only', () => {
  const rows = withPending([row, other], [{ instanceId: row.instanceId, change: { userTeam: 'U17' } }], 1000)
  expect(rows[0]).toMatchObject({ userTeam: 'U17', userPlayerType: 'CURRENT' })
  expect(rows[1]).toBe(other)
})

it('the later of two edits of a cell shows', () => {
  const noted = ['U16', 'U17'].map((userTeam) => ({ instanceId: row.instanceId, change: { userTeam } }))
  expect(withPending([row], noted, 1000)[0]).toMatchObject({ userTeam: 'U17' })
})

it('a saved edit shows until the rows are read again, then the API’s value does', () => {
  const saved = [{ instanceId: row.instanceId, change: { userTeam: 'U17' }, savedAt: 2000 }]
  expect(withPending([row], saved, 1000)[0]).toMatchObject({ userTeam: 'U17' })
  expect(withPending([row], saved, 3000)[0]).toBe(row)
})

it('rows read after the clock was set back show the API’s value', () => {
  const [edited, setBack] = [Date.now() + 7_200_000, Date.now() - 1000]
  const saved = [{ instanceId: row.instanceId, change: { userTeam: 'U17' }, savedAt: edited }]
  expect(withPending([row], saved, edited - 1000)[0]).toMatchObject({ userTeam: 'U17' })
  expect(withPending([row], saved, setBack)[0]).toBe(row)
})
