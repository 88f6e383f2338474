import { LETTER_CLEAR_FROM, STYLE_ERROR } from '#contract/rules/clear-results.ts'
import type { Language } from '#contract/languages.ts'
import { ASSESSMENT_ID, currentVersionOf, definitionOf } from '#server/content/content.ts'
import type { AllFigures } from './figures.ts'
import { PAIRS_EACH } from './result.ts'

/**
 * Each number about certainty that a screen says, bound to what the simulation found. Every number in these texts needs a figure here, in
 * the order of the sentence and the same in all languages.
 */

const definition = definitionOf(currentVersionOf(ASSESSMENT_ID))

const FIGURES = {
  people: ({ people }) => people,
  fourLettersSame: ({ scenarios }) => scenarios.assumed.figures.letters.fourSame,
  anyLetterTurned: ({ scenarios }) => scenarios.assumed.figures.letters.anyTurned,
  clearLetterTurned: ({ scenarios }) => scenarios.assumed.figures.letters.contradicted,
  clearLetterAgain: ({ scenarios }) => scenarios.assumed.figures.letters.clearAgain,
  clearLetterTrue: ({ scenarios }) => scenarios.assumed.figures.letters.clearTrueSide,
  clearLetterTurnedByDay: ({ scenarios }) => scenarios.swing.figures.letters.contradicted,
  clearLetterTrueByDay: ({ scenarios }) => scenarios.swing.figures.letters.clearTrueSide,
  clearStyleAgain: ({ scenarios }) => scenarios.assumed.figures.style.clearAgain,
  styleClear: ({ scenarios }) => scenarios.assumed.figures.style.clear,
  coinLetterClear: ({ scenarios }) => scenarios.coin.figures.letters.anyClear,
  letterClearFrom: () => LETTER_CLEAR_FROM / PAIRS_EACH,
  styleError: () => STYLE_ERROR,
  facetSentenceAgain: ({ scenarios }) => scenarios.assumed.figures.facets.saidAgain,
  rankings: () => definition.groups.length,
  pairs: () => definition.pairs.length,
  statements: () => definition.statements.length,
  choicesEach: () => PAIRS_EACH,
  opposites: () => definition.statements.filter(({ reversed }) => reversed).length / definition.statements.length,
} as const satisfies Record<string, (figures: AllFigures) => number>

/** `other`: a number that says nothing about certainty. */
export type Figure = keyof typeof FIGURES | 'other'

/** The texts that may speak of certainty. */
export const AREAS: Record<string, RegExp> = {
  about: /^About/,
  assessment: /^Brief/,
  report: /^Report/,
  results: /^Results/,
  team: /^Team/,
}

export const CLAIMS: Record<string, readonly Figure[]> = {
  'about:AboutLimitsCertaintyAgain': ['people', 'fourLettersSame'],
  'about:AboutLimitsCertaintyLetters': [
    'letterClearFrom',
    'clearLetterTrue',
    'clearLetterTurned',
    'anyLetterTurned',
    'clearLetterTrueByDay',
    'clearLetterTrue',
    'clearLetterTurnedByDay',
    'clearLetterTurned',
    'clearLetterAgain',
  ],
  'about:AboutLimitsCertaintyStyle': ['styleError', 'styleClear', 'clearStyleAgain'],
  'about:AboutLimitsCertaintyCoin': ['coinLetterClear'],
  'about:AboutLimitsMeasured': ['rankings', 'pairs', 'statements', 'choicesEach'],
  'about:AboutLimitsMeasuredBalance': ['opposites'],
  'about:AboutLimitsMeasuredFacets': ['facetSentenceAgain'],
  'about:AboutCreditsLicenceName': ['other', 'other'],
  'results:ResultsPreferencesText': ['letterClearFrom'],
  'results:ResultsLettersAllClear': ['letterClearFrom'],
  'results:ResultsOverviewStandOutLimit': ['facetSentenceAgain'],
  'results:ResultsColumnSum': ['other'],
}

/** What is wrong with the texts of one language; nothing, if every number in them is bound and true. */
export function wrongClaims(
  texts: Readonly<Record<string, string>>,
  language: Language,
  figures: AllFigures,
  claims: Readonly<Record<string, readonly Figure[]>> = CLAIMS,
): string[] {
  const lost = Object.keys(claims).filter((key) => !Object.hasOwn(texts, key))
  return [
    ...lost.map((key) => `${language} ${key}: no such text`),
    ...Object.entries(texts).flatMap(([key, text]) =>
      wrongIn(text, claims[key] ?? [], language, figures).map((wrong) => `${language} ${key}: ${wrong}`),
    ),
  ]
}

/** No figure says that one result fits as well as another: the nearest is always the likelier one. */
const COMPARED: Record<Language, RegExp> = {
  en: /(?<!\p{L})(?:(?:about|nearly|almost|just|quite) as (?!often)\p{L}+|equally (?:well|likely|close)|no better than|better than the others)/iu,
  fr: /(?<!\p{L})(?:(?:presque|à peu près|tout) aussi (?!souvent)\p{L}+|aussi (?:bien|proche|probable)s? que|mieux que les autres)/iu,
}

function wrongIn(text: string, claimed: readonly Figure[], language: Language, figures: AllFigures): string[] {
  const [compared] = COMPARED[language].exec(text) ?? []
  if (compared !== undefined) return [`says “${compared}”, which no figure can say`]
  const said = numbersIn(text, language)
  if (said.length !== claimed.length)
    return [`says ${said.map(({ words }) => `“${words}”`).join(', ') || 'no number'}; ${claimed.length} bound`]
  return said.flatMap(({ words, value, within }, at) => {
    const figure = claimed[at] ?? 'other'
    if (figure === 'other') return []
    const found = FIGURES[figure](figures)
    // not a number: never within
    return Math.abs(found - value) <= within ? [] : [`says “${words}”, the figure ${figure} is ${found}`]
  })
}

const WORDS: Record<Language, string[]> = {
  en: ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  fr: ['un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf', 'dix', 'onze', 'douze'],
}
/** Shares that have a word of their own. */
const SHARES: Record<Language, Record<string, number>> = {
  en: { half: 1 / 2, 'a third': 1 / 3, 'two thirds': 2 / 3, 'a quarter': 1 / 4, 'three quarters': 3 / 4 },
  fr: { 'la moitié': 1 / 2, 'un tiers': 1 / 3, 'deux tiers': 2 / 3, 'un quart': 1 / 4, 'trois quarts': 3 / 4 },
}
/** Other ways to say a share. They are not read, so they are wrong: such a sentence says it in one of the ways above. */
const UNREAD: Record<Language, string> = {
  en: '(?:one|two|three)[ -](?:thirds?|quarters?)|(?:an?|one|two|three|four)[ -](?:fifth|sixth|seventh|eighth|ninth|tenth)s?|\\p{L}+ per ?cent|per ?cent|every (?:second|third|other)|twice as|most of the time',
  fr: '\\p{L}+ (?:cinquième|sixième|septième|huitième|neuvième|dixième)s?|pour ?cent|deux fois plus|le plus souvent du temps',
}
const OF: Record<Language, { words: string; digits: string }> = {
  en: { words: 'in|out of', digits: 'in|of|out of' },
  fr: { words: 'sur', digits: 'sur' },
}
/** "about one in three" is true of 29 to 38 %. */
const IN_WORDS = 0.045
const IN_PERCENT = 0.01
const EXACTLY = 1e-6

interface Said {
  words: string
  value: number
  /** how far the figure may be from it */
  within: number
}

/** The shares and the figures in a text, in their order. Counts in words ("four letters") say nothing about certainty. */
export function numbersIn(text: string, language: Language): Said[] {
  const word = `(?:${WORDS[language].join('|')}|une)`
  const pattern = new RegExp(
    [
      `(?<![\\p{L}\\p{N}])(?<part>${word})(?: \\p{L}+){0,2} (?:${OF[language].words}) (?<whole>${word})(?!\\p{L})`,
      `(?<![\\p{L}\\p{N}])(?<partDigits>\\d+)(?: \\p{L}+)? (?:${OF[language].digits}) (?<wholeDigits>\\d+)`,
      `(?<percent>\\d+|…)[ \\u00a0\\u202f]?%`,
      `(?<![\\p{L}\\p{N}])(?<share>${Object.keys(SHARES[language]).join('|')})(?!\\p{L})`,
      `(?<![\\p{L}\\p{N}])(?<unread>${UNREAD[language]})(?!\\p{L})`,
      `(?<number>\\d+(?:[,\\u00a0\\u202f]\\d{3})*)`,
    ].join('|'),
    'giu',
  )
  const valueOf = (written: string) => WORDS[language].indexOf(written.toLowerCase().replace(/^une$/, 'un')) + 1
  // what a placeholder stands for is the player's own: "{{count}} of 11"
  const ours = text.replaceAll(/\{\{[^}]*\}\}(?: (?:of|sur) \d+)?/g, '…')
  return [...ours.matchAll(pattern)].map(({ 0: words, groups = {} }) => {
    const { part, whole, partDigits, wholeDigits, percent, share, unread, number } = groups
    if (part !== undefined) return { words, value: valueOf(part) / valueOf(whole ?? ''), within: IN_WORDS }
    if (partDigits !== undefined) return { words, value: Number(partDigits) / Number(wholeDigits), within: EXACTLY }
    if (percent !== undefined) return { words, value: Number(percent) / 100, within: IN_PERCENT }
    if (unread !== undefined) return { words, value: Number.NaN, within: 0 }
    if (share !== undefined) return { words, value: SHARES[language][share.toLowerCase()] ?? 0, within: IN_WORDS }
    return { words, value: Number((number ?? '').replaceAll(/\D/g, '')), within: EXACTLY }
  })
}
