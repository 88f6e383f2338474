import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SITUATIONS } from '#contract/instances.coach.ts'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { adviceOn, type AdviceWords } from '#server/content/advice.ts'
import { stylesOf, VERSIONS } from './support.ts'

/** The coach's advice: a sentence for each clear letter and style in each situation, in both languages. TEAM-21 */

const LETTERS = [...'EISNTFJP']
const STYLE_SITUATIONS = ['feedback', 'exercise', 'mistake']

const wordsOf = (language: Language) =>
  JSON.parse(readFileSync(new URL(`../../../src/server/content/advice.${language}.json`, import.meta.url), 'utf8')) as AdviceWords
const sentencesOf = ({ styles, letters }: AdviceWords) =>
  [...Object.values(letters), ...Object.values(styles)].flatMap(Object.values<string>)

describe.each(LANGUAGES)('the advice in %s', (language) => {
  const words = wordsOf(language)
  const sentences = sentencesOf(words)

  it('has 8 letters in 5 situations, 4 styles in 3, and 3 questions', () => {
    expect(Object.keys(words.letters).toSorted()).toEqual(LETTERS.toSorted())
    for (const lines of Object.values(words.letters)) expect(Object.keys(lines)).toEqual(SITUATIONS)
    for (const version of VERSIONS) expect(Object.keys(words.styles)).toEqual(stylesOf(version))
    for (const lines of Object.values(words.styles)) expect(Object.keys(lines)).toEqual(STYLE_SITUATIONS)
    expect(words.questions).toHaveLength(3)
  })

  it('says in one sentence what is preferred and what the coach could try', () => {
    const form = language === 'fr' ? /^Aime [^.!?]+\u202f; essaie [^.!?]+\.$/ : /^Likes [^.!?;]+; try [^.!?;]+\.$/
    expect(sentences.filter((text) => !form.test(text))).toEqual([])
    expect(sentences.filter((text) => text.length > 130)).toEqual([])
    expect(new Set(sentences).size).toBe(sentences.length)
  })

  it('asks open questions', () => {
    const form = language === 'fr' ? /^Qu’[^?]+\u202f\?$/ : /^What [^?]+\?$/
    expect(words.questions.filter((text) => !form.test(text))).toEqual([])
  })

  it('says nothing of ability or fate, and uses no jargon', () => {
    const forbidden =
      /\b(cannot|can’t|unable|weak|strength|talent|gifted|ability|able|good at|bad|poor|better|best|always|never|must|introvert|extravert|type|style|incapable|faible|force|doué|capacité|meilleur|mauvais|toujours|jamais|doit|introverti)\b/i
    expect([...sentences, ...words.questions].filter((text) => forbidden.test(text))).toEqual([])
  })

  it('is typeset as the rest of the texts', () => {
    expect([...sentences, ...words.questions].filter((text) => /['"]|\s\s|^\s|\s$/.test(text))).toEqual([])
  })
})

it('French calls an aim "objectif", as "but" is a goal on the pitch', () => {
  expect(sentencesOf(wordsOf('fr')).filter((text) => /(?<!\p{L})buts?(?!\p{L})/iu.test(text))).toEqual([])
})

it('French names no gender of the player', () => {
  // said of the person, not of a thing: «\u00a0il aime\u00a0», «\u00a0avec elle\u00a0», «\u00a0sûr de soi\u00a0»
  const gendered = /\b(il aime|elle aime|avec (lui|elle)|le joueur|la joueuse|prête?|sûre?|contente?|concentrée?)\b/i
  expect(sentencesOf(wordsOf('fr')).filter((text) => gendered.test(text))).toEqual([])
})

describe('advice on a result', () => {
  it('has one line for each clear letter and one for a clear style, named', () => {
    const { situations } = adviceOn({ style: { key: 'play', name: 'Free Play' }, letters: ['E', 'N', 'F', 'P'] }, 'en')
    expect(situations.map(({ situation }) => situation)).toEqual(SITUATIONS)
    for (const { situation, lines } of situations)
      expect(lines.map(({ source }) => source)).toEqual([
        'E',
        'N',
        'F',
        'P',
        ...(STYLE_SITUATIONS.includes(situation) ? ['Free Play'] : []),
      ])
  })

  it('says nothing of what lies between, and asks its questions all the same', () => {
    const one = adviceOn({ style: null, letters: ['T'] }, 'fr')
    expect(one.situations.flatMap(({ lines }) => lines.map(({ source }) => source))).toEqual(SITUATIONS.map(() => 'T'))
    const none = adviceOn({ style: null, letters: [] }, 'fr')
    expect(none.situations.flatMap(({ lines }) => lines)).toEqual([])
    expect(none.questions).toEqual(wordsOf('fr').questions)
  })

  it('has no line for a letter or style that it does not know', () => {
    const { situations } = adviceOn({ style: { key: 'later', name: 'Later' }, letters: ['X'] }, 'en')
    expect(situations.flatMap(({ lines }) => lines)).toEqual([])
  })
})
