import { describe, expect, it } from 'vitest'
import { filesBelow, read } from './source-files.ts'

/** What a French reader would stumble over and a program can see. `words.test.ts` checks the rest of the typesetting. WORDS-5, WORDS-7 */

type Words = Record<string, string>
const areas = filesBelow('locales/fr', /\.json$/).map((path) => path.replace(/^locales\/fr\/|\.json$/g, ''))
const wordsOf = (language: string, area: string) => JSON.parse(read(`locales/${language}/${area}.json`)) as Words

/** Filled with digits, or with a word that has no French vowel at its start. */
const FIGURES = new Set(['begun', 'count', 'date', 'day', 'maximum', 'minimum', 'percent', 'total', 'when'])

/** The same in both languages, and French in both. */
const ALIKE = new Set([
  'about:AboutContact',
  'about:AboutCreditsGeoNames',
  'about:AboutCreditsLicenceName',
  'assessment:TestSection',
  'assessment:TestSections',
  'checkout:Total',
  'details:AgeGroupSenior',
  'device:Version',
  'mail:Signature',
  'operator:BounceCode',
  'operator:Coach',
  'profile:PhotoZoom',
  'shell:Brand',
  'tokens:TokenActions',
  'ui:DocumentTitle',
  'ui:PageNumber',
])

/** One French word for one thing: each with the words that it is not called by. */
const ONE_WORD: Readonly<Record<string, string>> = {
  tu: 'vous|votre|vos|veuillez|s’il te pla[iî]t|s’il vous pla[iî]t',
  jeton: 'tokens?|crédits? d’évaluation',
  'e-mail': 'mails?|emails?|courriels?|méls?',
  coach: 'entra[iî]neu(?:r|se)s?',
  appli: 'applications?|portail|logiciel',
  accueil: 'tableau de bord|dashboard',
  rendre: 'soumet\\p{L}*|soumission',
  réseau: 'signal',
  'se connecter': 'login|log-in|identifie-toi|authentifie-toi',
  enregistrer: 'sauvegard\\p{L}*',
  fermer: 'cl[oô]tur\\p{L}*',
  assistance: '(?:le|du|au) support',
  'a French word': 'checkout|feedback|digital|feature|challenge|update',
}

/** Said of the reader, whose gender is unknown: tu es connecté, pour en être sûr. */
const MASCULINE = /(?<!\p{L})(?:tu (?:es|seras|étais)|t’es|rester|en être) (?:pas |bien |toujours |déjà )?\p{L}*(?:é|ûr|êt|eux)(?!\p{L})/iu

/** Words of a browser or a page that is not ours, between « and ». */
const withoutQuotes = (text: string) => text.replaceAll(/«[^»]*»/g, '«»')
const withoutPlaceholders = (text: string) => text.replaceAll(/\{\{[^}]*\}\}/g, '')

describe.each(areas)('%s', (area) => {
  const texts = Object.entries(wordsOf('fr', area))

  it('gives the reader no gender', () => {
    for (const [key, text] of texts) expect(text, key).not.toMatch(MASCULINE)
  })

  it('is typeset as French', () => {
    for (const [key, text] of texts) {
      expect(text, `${key}: … instead of ...`).not.toMatch(/\.\.\./)
      expect(text, `${key}: « » instead of “ ”`).not.toMatch(/[“”"]/)
      expect(text, `${key}: a narrow space before %`).not.toMatch(/[^\u202f]%/)
      expect(text, `${key}: one space`).not.toMatch(/ {2}/)
      expect(text, `${key}: no break between a figure and its unit`).not.toMatch(/(?:\d|\}\}) (?:Mo|Go|min|mégapixels)(?!\p{L})/u)
      expect(text, `${key}: a narrow space in a number of more than three digits`).not.toMatch(/\d[ .,\u00a0]\d{3}(?!\d)|\d{5}/)
      expect(text, `${key}: 1er`).not.toMatch(/\b1 er\b|\b1ère|\dème\b/)
    }
  })

  it('puts nothing that may begin with a vowel after a word that would lose its own', () => {
    for (const [key, text] of texts) {
      const names = [...text.matchAll(/\b(?:de|que|le|la|ne|se|me|te|je|jusque|lorsque|puisque) \{\{(\w+)\}\}/gi)].map(([, name]) => name)
      expect(
        names.filter((name) => !FIGURES.has(name ?? '')),
        key,
      ).toEqual([])
    }
  })

  it('has one word for one thing', () => {
    for (const [key, text] of texts) {
      for (const [word, others] of Object.entries(ONE_WORD)) {
        // \b knows no accents; MAIL_BOUNCE_KEY is a setting
        const other = new RegExp(`(?<![\\p{L}-])(?:${others})(?![\\p{L}_-])`, 'iu')
        expect(withoutQuotes(withoutPlaceholders(text)), `${key}: ${word}`).not.toMatch(other)
      }
    }
  })

  it('leaves nothing in English', () => {
    const english = wordsOf('en', area)
    const same = texts.filter(([key, text]) => text === english[key] && /\p{L}{2}/u.test(withoutPlaceholders(text)))
    expect(same.map(([key]) => `${area}:${key}`).filter((key) => !ALIKE.has(key))).toEqual([])
  })
})

it('begins a mail with a capital, after the greeting too', () => {
  const inside = new Set(['SomeCoachInside', 'SomeDevice'])
  for (const [key, text] of Object.entries(wordsOf('fr', 'mail'))) {
    if (!inside.has(key)) expect(text.replace(/^Bonjour[^\n]*,\n\n/, ''), key).not.toMatch(/^\p{Ll}/u)
  }
})

it('names no text as alike that is not', () => {
  const differs = [...ALIKE].filter((name) => {
    const [area = '', key = ''] = name.split(':')
    return wordsOf('fr', area)[key] !== wordsOf('en', area)[key]
  })
  expect(differs).toEqual([])
})
