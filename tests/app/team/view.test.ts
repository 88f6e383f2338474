import { expect, it } from 'vitest'
import { readPlace, writePlace } from '#app/screens/team/table/view.ts'
import { everything } from './team.ts'

const first = { ...everything, page: 0 }

it('an empty query is the first view, and the first view leaves the query empty', () => {
  expect(readPlace('')).toEqual(first)
  expect(writePlace('', first)).toBe('')
})

it('a view is written to the query and read back, and other parameters stay', () => {
  const filters = { status: 'IN_PROGRESS', result: 'Free Play ENFP', position: 'Center Back', style: 'free', letters: 'E' }
  const place = { search: 'é & ü', ...filters, sort: 'date', isDescending: true, page: 6 } as const
  const query = writePlace('tokens=3', place)
  expect(readPlace(query)).toEqual(place)
  expect(new URLSearchParams(query).get('tokens')).toBe('3')
  expect(new URLSearchParams(query).get('page')).toBe('7')
  expect(writePlace(query, first)).toBe('tokens=3')
})

it.each(['page=0', 'page=-2', 'page=x', 'page=1.5', 'page=1e1', 'page=+2', 'page= 2', 'sort=password', 'order=sideways'])(
  '%s is ignored',
  (query) => {
    expect(readPlace(query)).toEqual(first)
  },
)
