import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { squareIn, within } from '#app/screens/profile/crop-photo.ts'

describe('the square of pixels for a cropped area in percent', () => {
  test.each([
    [
      { x: 0, y: 0, width: 100, height: 100 },
      { width: 800, height: 800 },
      { x: 0, y: 0, side: 800 },
    ],
    [
      { x: 25, y: 0, width: 50, height: 100 },
      { width: 1600, height: 800 },
      { x: 400, y: 0, side: 800 },
    ],
    [
      { x: 0, y: 50, width: 100, height: 50 },
      { width: 600, height: 1200 },
      { x: 0, y: 600, side: 600 },
    ],
    // zoom 3, moved to the lower right corner
    [
      { x: 66.667, y: 66.667, width: 33.333, height: 33.333 },
      { width: 900, height: 900 },
      { x: 600, y: 600, side: 300 },
    ],
    [
      { x: 0, y: 0, width: 0.01, height: 0.01 },
      { width: 10, height: 10 },
      { x: 0, y: 0, side: 1 },
    ],
  ])('%j of %j', (area, picture, square) => {
    expect(squareIn(area, picture)).toEqual(square)
  })

  test('lies inside the picture, whatever the rounding', () => {
    const percent = fc.double({ min: 0, max: 100, noNaN: true })
    const length = fc.integer({ min: 1, max: 3072 })
    fc.assert(
      fc.property(percent, percent, percent, percent, length, length, (x, y, width, height, w, h) => {
        const square = squareIn({ x, y, width, height }, { width: w, height: h })
        expect(square.side).toBeGreaterThanOrEqual(1)
        expect(square.x).toBeGreaterThanOrEqual(0)
        expect(square.y).toBeGreaterThanOrEqual(0)
        expect(square.x + square.side).toBeLessThanOrEqual(w)
        expect(square.y + square.side).toBeLessThanOrEqual(h)
      }),
    )
  })
})

test.each([
  [
    { width: 8064, height: 6048 },
    { width: 3072, height: 2304 },
  ],
  [
    { width: 100, height: 50 },
    { width: 100, height: 50 },
  ],
  [
    { width: 1, height: 30_000 },
    { width: 1, height: 3072 },
  ],
])('a picture of %j is scaled down to %j, never up', (given, size) => {
  expect(within(given, 3072)).toEqual(size)
})
