import { describe, expect, it } from 'vitest'
import { isNearestTied, isNextStyle, isNextType, letterOf, stylesOf } from '#contract/rules/clear-results.ts'
import { STYLE_BY_POLES } from '#server/content/definition.ts'

describe('a letter (SCORING-8)', () => {
  it.each([
    [11, 0, 'E'],
    [8, 3, 'E'],
    [7, 4, null],
    [6, 5, null],
    [5, 6, null],
    [4, 7, null],
    [3, 8, 'I'],
    [0, 11, 'I'],
  ])('of %i choices to %i: %s is clear', (firstCount, secondCount, letter) => {
    expect(letterOf({ first: 'E', second: 'I', firstCount, secondCount })).toBe(letter)
  })
})

describe('a learning style (SCORING-8)', () => {
  it.each([
    ['play', -7, 7, ['play']],
    ['play', -7, 6, ['play', 'view']],
    ['view', -7, -6, ['view', 'play']],
    ['play', -6, 7, ['play', 'training']],
    ['plan', 7, 0, ['plan', 'training']],
    ['plan', 6, -6, ['plan', 'training', 'view', 'play']],
  ])('nearest %s, at %i and %i, fits %j', (nearest, ideaExperience, doWatch, styles) => {
    expect(stylesOf(nearest, { ideaExperience, doWatch })).toEqual(styles)
  })

  it('lies beside those that share one of its poles', () => {
    for (const grasp of ['experience', 'idea'] as const)
      for (const act of ['do', 'watch'] as const) {
        const [ideaExperience, doWatch] = [grasp === 'idea' ? 7 : -7, act === 'do' ? 7 : -7]
        const style = STYLE_BY_POLES[grasp][act]
        expect(stylesOf(style, { ideaExperience, doWatch: 0 })).toEqual([style, STYLE_BY_POLES[grasp][act === 'do' ? 'watch' : 'do']])
        expect(stylesOf(style, { ideaExperience: 0, doWatch })).toEqual([
          style,
          STYLE_BY_POLES[grasp === 'idea' ? 'experience' : 'idea'][act],
        ])
      }
  })

  it.each([
    [0, 7, true],
    [-7, 0, true],
    [0, 0, true],
    [1, -1, false],
  ])('at %i and %i: another is exactly as near: %s', (ideaExperience, doWatch, isTied) => {
    expect(isNearestTied({ ideaExperience, doWatch })).toBe(isTied)
  })

  it('is next to the two styles across one axis, and not to the one across both', () => {
    const [nearest, ...others] = stylesOf('plan', { ideaExperience: 0, doWatch: 0 })
    expect(others.filter((other) => isNextStyle(nearest ?? '', other))).toEqual(['training', 'view'])
    expect(isNextStyle('keeper', 'plan')).toBe(false)
  })

  it('from a later scoring version is the only one it fits', () => {
    expect(stylesOf('keeper', { ideaExperience: 0, doWatch: 0 })).toEqual(['keeper'])
  })
})

it('a type is next to those that differ in one letter', () => {
  const others = ['ISTP', 'INTJ', 'INFP', 'ESTJ', 'ENFP', 'ISTJ']
  expect(others.filter((other) => isNextType('ISTJ', other))).toEqual(['ISTP', 'INTJ', 'ESTJ'])
})
