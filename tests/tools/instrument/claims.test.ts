import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { CLAIMS, numbersIn, wrongClaims } from '#tools/instrument/claims.ts'
import { storedFigures } from '#tools/instrument/figures.ts'
import { textsOf } from '#tools/instrument/texts.ts'

const figures = storedFigures()

describe.each(LANGUAGES)('what screens say about certainty (%s)', (language) => {
  it('rests on a figure of the simulation, number by number', () => {
    expect(wrongClaims(textsOf(language), language, figures)).toEqual([])
  })
})

it.each(['clearLetterTrue', 'clearLetterTurned'] as const)('a text with %s also says what it is if answers depend on the day', (figure) => {
  const saying = Object.entries(CLAIMS).filter(([, figures]) => figures.includes(figure))
  expect(saying).not.toEqual([])
  for (const [key, figures] of saying) expect(figures, key).toContain(`${figure}ByDay`)
})

describe('a wrong claim is found:', () => {
  const wrong = (text: string, claims: Parameters<typeof wrongClaims>[3] = { 'about:One': ['fourLettersSame'] }) =>
    wrongClaims({ 'about:One': text }, 'en', figures, claims)

  it('another number than the figure', () => {
    expect(wrong('About one player in three gets the same letters.')).toEqual([])
    expect(wrong('About one player in two gets the same letters.')).toEqual([expect.stringContaining('“one player in two”')])
    expect(wrong('85% get the same letters.')).toEqual([expect.stringContaining('“85%”')])
  })

  it('a figure that has changed since', () => {
    const { assumed } = figures.scenarios
    const letters = { ...assumed.figures.letters, fourSame: 0.5 }
    const later = { ...figures, scenarios: { ...figures.scenarios, assumed: { ...assumed, figures: { ...assumed.figures, letters } } } }
    const text = { 'about:One': 'About one player in three gets the same letters.' }
    expect(wrongClaims(text, 'en', later, { 'about:One': ['fourLettersSame'] })).toEqual([expect.stringContaining('is 0.5')])
  })

  it('a number that is not listed, and a text that is no longer there', () => {
    expect(wrong('Half of all players get the same letters.', {})).toEqual([expect.stringContaining('“Half”')])
    expect(wrong('Most players do.')).toEqual([expect.stringContaining('no number')])
    expect(wrong('', { 'about:Two': [] })).toEqual([expect.stringContaining('no such text')])
  })

  it('that another result fits as well, for which there is no figure', () => {
    const texts = (language: 'en' | 'fr', text: string) => wrongClaims({ 'about:One': text }, language, figures, {})
    for (const text of ['These fit you about as well.', 'About as close to you: {{list}}.', 'No style fits you better than the others.'])
      expect(texts('en', text), text).toHaveLength(1)
    for (const text of [
      'Ceux-ci te vont à peu près aussi bien.',
      'Presque aussi proche de toi : {{list}}.',
      'Aucun ne te va mieux que les autres.',
    ])
      expect(texts('fr', text), text).toHaveLength(1)
    expect(texts('en', 'Each comes first about as often as the other.')).toEqual([])
  })

  it('another threshold than the rule has', () => {
    expect(wrong('From 8 of 11 choices.', { 'about:One': ['letterClearFrom'] })).toEqual([])
    expect(wrong('From 7 of 11 choices.', { 'about:One': ['letterClearFrom'] })).toHaveLength(1)
  })
})

describe('numbers in a text', () => {
  it.each([
    ['en', 'In 7% of cases, two letters in ten, 8 times out of 11, 200,000 players', [0.07, 0.2, 8 / 11, 200_000]],
    [
      'fr',
      'Dans 7\u202f% des cas, une personne sur trois, 8 fois sur 11, 200\u202f000 personnes, la moitié',
      [0.07, 1 / 3, 8 / 11, 200_000, 0.5],
    ],
    ['en', 'one of two styles, four letters, {{count}} of 11 choices', []],
    ['fr', 'l’un des deux styles, {{count}} lettres sur quatre, son quart de terrain', []],
  ] as const)('are found in “%s: %s”', (language, text, values) => {
    expect(numbersIn(text, language).map(({ value }) => value)).toEqual(values)
  })
})
