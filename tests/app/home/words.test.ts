import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const PLURAL = /_(one|many|other)$/

/** key → the {{placeholders}} in its text, plural forms folded into one */
function keysOf(words: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(words).map(([key, text]) => [
      key.replace(PLURAL, ''),
      [...text.matchAll(/\{\{(\w+)\}\}/g)]
        .map((match) => match[1])
        .toSorted()
        .join(),
    ]),
  )
}

const wordsOf = (language: string, area: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../../locales/${language}/${area}.json`, import.meta.url), 'utf8'))

const areas = ['about', 'home', 'profile', 'assessment'].map((area) => [area, wordsOf('en', area), wordsOf('fr', area)] as const)

describe.each(areas)('the words of %s', (_, english, french) => {
  it('are the same keys with the same placeholders in both languages', () => {
    expect(keysOf(french)).toEqual(keysOf(english))
  })

  it('French has every plural form its rules ask for', () => {
    for (const key of Object.keys(english).filter((one) => one.endsWith('_other'))) {
      const stem = key.replace(PLURAL, '')
      for (const form of ['one', 'many', 'other']) expect(french).toHaveProperty(`${stem}_${form}`)
    }
  })

  it('French is typeset as French', () => {
    for (const [key, text] of Object.entries(french))
      expect([key, /(?<!\u202F)[;!?]|(?<!\u00A0):|'/.exec(text)?.[0]]).toEqual([key, undefined])
  })
})

describe('the specification’s own words (§8)', () => {
  it('stand as they are given', () => {
    expect(wordsOf('en', 'home')['ErrorLoadingAssessments']).toBe('Error loading assessments.')
    expect(wordsOf('en', 'profile')['ErrorLoadingProfile']).toBe('Error loading profile. Please try again later.')
    expect(wordsOf('en', 'profile')['ProfileTitle']).toBe('Your Profile')
  })
})
