import { describe, expect, it } from 'vitest'
import { nearestPage, pageNumbers, pageCount, rowsOf } from '#app/ui/tables/pagination.tsx'

const rows = (count: number) => Array.from({ length: count }, (_, at) => at)

/** TOKENS-17, SHELL-16: 10 rows a page, up to 3 page numbers, the first page is 0. */
describe('pages of a table', () => {
  it('has ten rows on each, and the rest on the last', () => {
    expect([0, 1, 10, 11, 2000].map(pageCount)).toEqual([0, 1, 1, 2, 200])
    expect(rowsOf(rows(23), 0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(rowsOf(rows(23), 2)).toEqual([20, 21, 22])
  })

  it('moves to the last page when the rows become fewer', () => {
    expect(nearestPage(7, 23)).toBe(2)
    expect(nearestPage(-1, 23)).toBe(0)
    expect(nearestPage(3, 0)).toBe(0)
  })

  it('shows up to three numbers, the current one among them', () => {
    expect(pageNumbers(0, 200)).toEqual([0, 1, 2])
    expect(pageNumbers(100, 200)).toEqual([99, 100, 101])
    expect(pageNumbers(199, 200)).toEqual([197, 198, 199])
    expect(pageNumbers(1, 2)).toEqual([0, 1])
  })
})
