import { expect, test } from 'vitest'
import { formatCount } from '#app/i18n/figures.ts'
import { formatTime } from '#app/i18n/times.ts'
import { formatDate } from '#app/i18n/format.ts'
import { i18n } from '#app/i18n/i18n.ts'
import { preferredLanguage } from '#app/i18n/preferred-language.ts'

test('dates read as in WORDS-4, in both languages', () => {
  expect(formatDate('2026-01-01T12:00:00Z', 'en')).toBe('1st Jan 2026')
  expect(formatDate('2026-01-01T12:00:00Z', 'fr')).toBe('1er janv. 2026')
  expect(formatDate('2026-02-02T12:00:00Z', 'fr')).toBe('2 févr. 2026')
})

test.each([null, undefined, '', 'not a date'])('the date %s is shown as a dash', (instant) => {
  expect(formatDate(instant)).toBe('-')
})

test('times are local and have leading zeros', () => {
  expect(formatTime(new Date(2026, 0, 1, 0, 5))).toBe('00:05')
  expect(formatTime(new Date(2026, 0, 1, 14, 2).getTime())).toBe('14:02')
  expect(formatTime(new Date(2026, 0, 1, 23, 59).toISOString())).toBe('23:59')
})

test.each(['en', 'fr'])('counts are grouped as Intl groups them in %s', async (language) => {
  await i18n.init({ lng: language, resources: {} })
  const whole = new Intl.NumberFormat(language)
  for (const count of [0, 7, 999, 1000, 5000, 1_234_567]) expect(formatCount(count)).toBe(whole.format(count))
})

test.each<[string | null, string[], string]>([
  ['fr', ['en-GB'], 'fr'],
  [null, ['fr-CA', 'en'], 'fr'],
  [null, ['de', 'fr'], 'fr'],
  [null, ['de'], 'en'],
  ['xx', [], 'en'],
])('with %s stored and a browser in %s the language is %s', (stored, browser, language) => {
  expect(preferredLanguage(stored, browser)).toBe(language)
})
