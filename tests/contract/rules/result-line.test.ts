import { describe, expect, it } from 'vitest'
import { firstPairBetween, lettersOf, resultLine } from '#contract/rules/result-line.ts'

type Given = NonNullable<Parameters<typeof resultLine>[0]>

const AXES = [
  ['E', 'I'],
  ['S', 'N'],
  ['T', 'F'],
  ['J', 'P'],
] as const

/** @param letters of the four axes; '-' between the two */
function result(styles: string[], letters: string): Given {
  const named = styles.map((name) => ({ value: name.toLowerCase(), result: name }))
  const axes = AXES.map(([first, second], at) => ({
    axis: first + second,
    first,
    second,
    letter: letters[at] === '-' ? null : (letters[at] ?? null),
  }))
  return { Section1: { value: 'scout', result: 'Scout', styles: named }, section2: { value: 'ENFP', label: 'ENFP', axes } }
}

describe('what is clear in a result, in one line (RESULTS-3, SCORING-8)', () => {
  it.each([
    [['Scout'], 'ENFP', 'Scout ENFP'],
    // in a fixed order, which does not tell the nearest
    [['Scout', 'Keeper'], 'ENFP', 'Keeper / Scout ENFP'],
    [['Keeper', 'Scout'], 'ENFP', 'Keeper / Scout ENFP'],
    [['Scout'], 'EN-P', 'Scout EN T/F P'],
    [['Scout'], '--FP', 'Scout E/I S/N FP'],
    [['Scout'], '----', 'Scout E/I S/N T/F J/P'],
    [['Scout', 'Keeper', 'Winger', 'Sweeper'], 'I--J', 'no style I S/N T/F J'],
    // stored by an older app, which did not know the other style's name
    [['Scout', ''], 'ENFP', 'no style ENFP'],
  ])('of the styles %j and the letters %s is %s', (styles, letters, line) => {
    expect(resultLine(result(styles, letters), 'no style')).toBe(line)
  })

  it.each([
    ['ENFP', ''],
    ['EN-P', 'T/F'],
    ['I--J', 'S/N'],
    ['----', 'E/I'],
  ])('of the letters %s the first pair between is "%s"', (letters, pair) => {
    expect(firstPairBetween(result(['Scout'], letters).section2)).toBe(pair)
  })

  it('is empty without a result, and where an older app did not store what is clear', () => {
    const older = { Section1: { value: 'scout', result: 'Scout' }, section2: { value: 'ENFP', label: 'ENFP' } }
    expect([null, undefined, older].map((one) => resultLine(one, 'x'))).toEqual(['', '', ''])
  })

  it('its letters are one for each axis', () => {
    expect(lettersOf('EN T/F P')).toEqual(['E', 'N', 'T/F', 'P'])
    expect(lettersOf('E/I S/N FP')).toEqual(['E/I', 'S/N', 'F', 'P'])
  })
})
