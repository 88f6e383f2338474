import { describe, expect, it } from 'vitest'
import en from '#locales/en/about.json' with { type: 'json' }
import fr from '#locales/fr/about.json' with { type: 'json' }
import enHome from '#locales/en/home.json' with { type: 'json' }
import frHome from '#locales/fr/home.json' with { type: 'json' }
import enProfile from '#locales/en/profile.json' with { type: 'json' }
import frProfile from '#locales/fr/profile.json' with { type: 'json' }
import enAssessment from '#locales/en/assessment.json' with { type: 'json' }
import frAssessment from '#locales/fr/assessment.json' with { type: 'json' }

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

const areas: [string, Record<string, string>, Record<string, string>][] = [
  ['about', en, fr],
  ['home', enHome, frHome],
  ['profile', enProfile, frProfile],
  ['assessment', enAssessment, frAssessment],
]

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
    expect(enHome.ErrorLoadingAssessments).toBe('Error loading assessments.')
    expect(enProfile.ErrorLoadingProfile).toBe('Error loading profile. Please try again later.')
    expect(enProfile.ProfileTitle).toBe('Your Profile')
  })
})
