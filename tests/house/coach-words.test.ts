import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'

/** What a player reads of what a coach sees. BRIEF-5, PRIVACY-2 */

const AREAS = ['about', 'brief', 'report'] as const
const RESULT = { en: /learning style and (?:your )?letters/, fr: /style d’apprentissage et tes lettres/ }
const PAGE = {
  en: /a page of ideas for coaching you.*You can read that page too/,
  fr: /une page d’idées pour t’entraîner.*Tu peux lire cette page, toi aussi/,
}

describe.each(LANGUAGES)('in %s', (language) => {
  const said = AREAS.flatMap((area) => {
    const texts = JSON.parse(readFileSync(new URL(`../../locales/${language}/${area}.json`, import.meta.url), 'utf8')) as Record<
      string,
      string
    >
    return Object.entries(texts).filter(([, text]) => RESULT[language].test(text))
  })

  test('the brief, the page on results and the report say it', () => {
    const keys = [
      'AboutLimitsWho',
      'BriefWhoSeesClosedCoach',
      'BriefWhoSeesCoach',
      'BriefWhoSeesSomeCoach',
      'ReportCoach',
      'ReportSomeCoach',
    ]
    expect(said.map(([key]) => key).toSorted()).toEqual(keys)
  })

  test.each(said)('%s names the page that a coach gets, and that the player can read it', (_, text) => {
    expect(text).toMatch(PAGE[language])
  })
})
