import { readdirSync, readFileSync } from 'node:fs'
import i18next from 'i18next'
import { describe, expect, it } from 'vitest'
import { translatorFor } from '#app/i18n/use-translation.ts'

const areas = readdirSync('locales/en').map((file) => file.replace('.json', ''))
const wordsOf = (language: string) =>
  Object.fromEntries(
    areas.map((area) => [area, JSON.parse(readFileSync(`locales/${language}/${area}.json`, 'utf8')) as Record<string, string>]),
  )

await i18next.init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: wordsOf('en'), fr: wordsOf('fr') },
  keySeparator: false,
  interpolation: { escapeValue: false },
})

describe('words read without i18next (docs/decisions/0014)', () => {
  it.each(['en', 'fr'])('are the same as i18next gives, for every key (%s)', (language) => {
    for (const area of areas) {
      const t = translatorFor(language, area)
      const theirs = i18next.getFixedT(language, area)
      for (const [key, text] of Object.entries(wordsOf(language)[area] ?? {})) {
        if (/_(one|many|other)$/.test(key)) continue
        const values = Object.fromEntries([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => [name, `<${name} & co>`]))
        expect(t(key, values)).toBe(theirs(key, values))
      }
    }
  })

  it('leave plurals to i18next', () => {
    expect(translatorFor('en', 'player')('SavedOnDevice', { count: 1 })).toBe(
      i18next.t('SavedOnDevice', { ns: 'player', lng: 'en', count: 1 }),
    )
    expect(translatorFor('en', 'player')('SavedOnDevice', { count: 1 })).not.toBe('SavedOnDevice')
  })

  it('use the first of several keys that exists, from other areas too', () => {
    expect(translatorFor('fr', 'player')(['errors:NO_SUCH_CODE', 'player:NotSentNoReason'])).toBe(
      wordsOf('fr')['player']?.['NotSentNoReason'],
    )
  })
})
