import { expect, test } from 'vitest'
import { formatDate } from '#app/i18n/format.ts'
import { preferredLanguage } from '#app/i18n/i18n.ts'

test('dates as §9 has them, in both languages', () => {
  expect(formatDate('2026-01-01T12:00:00Z', 'en')).toBe('1st Jan 2026')
  expect(formatDate('2026-01-01T12:00:00Z', 'fr')).toBe('1er janv. 2026')
  expect(formatDate('2026-02-02T12:00:00Z', 'fr')).toBe('2 févr. 2026')
})

test.each([null, undefined, '', 'not a date'])('%s is a dash', (instant) => {
  expect(formatDate(instant)).toBe('-')
})

test.each<[string | null, string[], string]>([
  ['fr', ['en-GB'], 'fr'],
  [null, ['fr-CA', 'en'], 'fr'],
  [null, ['de', 'fr'], 'fr'],
  [null, ['de'], 'en'],
  ['xx', [], 'en'],
])('stored %s, browser %s → %s', (stored, browser, language) => {
  expect(preferredLanguage(stored, browser)).toBe(language)
})
