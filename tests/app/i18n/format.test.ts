import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { formatCount } from '#app/i18n/figures.ts'
import { formatTime } from '#app/i18n/times.ts'
import { formatDate } from '#app/i18n/format.ts'
import { i18n } from '#app/i18n/i18n.ts'
import { formatMoment, today } from '#app/i18n/moments.ts'
import { preferredLanguage } from '#app/i18n/preferred-language.ts'
import { shortDay } from '#contract/rules/dates.ts'

test('dates read as in WORDS-4, in both languages', () => {
  expect(formatDate('2026-01-01T12:00:00Z', 'en')).toBe('1st Jan 2026')
  expect(formatDate('2026-01-01T12:00:00Z', 'fr')).toBe('1er janv. 2026')
  expect(formatDate('2026-02-02T12:00:00Z', 'fr')).toBe('2 févr. 2026')
})

test.each(['en', 'fr'])('every day of a year reads the same without date-fns in %s', (language) => {
  for (let day = 1; day <= 366; day++) {
    const date = new Date(2028, 0, day, 12)
    expect(shortDay(date, language)).toBe(formatDate(date, language))
  }
})

describe('a moment', () => {
  const noon = new Date(2026, 10, 30, 12, 35).getTime()
  beforeEach(() => {
    vi.useFakeTimers({ now: noon })
    vi.stubGlobal('document', new EventTarget())
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('has its day as soon as it is of another one', () => {
    expect(formatMoment(noon)).toBe('12:35')
    vi.setSystemTime(new Date(2026, 11, 1, 0, 0))
    expect(formatMoment(noon)).toBe('12:35, 30th Nov 2026')
    expect(formatMoment(new Date(2026, 11, 2, 8, 0).getTime())).toBe('08:00, 2nd Dec 2026')
  })

  test('is heard of at each midnight, and when a device wakes up', () => {
    const days: string[] = []
    const stop = today.subscribe(() => days.push(today.get()))
    vi.advanceTimersByTime(11 * 3_600_000)
    expect(days).toEqual([])
    vi.advanceTimersByTime(26 * 3_600_000)
    expect(days).toEqual(['Tue Dec 01 2026', 'Wed Dec 02 2026'])
    vi.setSystemTime(new Date(2026, 11, 6, 7, 0))
    document.dispatchEvent(new Event('visibilitychange'))
    expect(days).toHaveLength(3)
    vi.advanceTimersByTime(17 * 3_600_000)
    expect(days.at(-1)).toBe('Mon Dec 07 2026')
    stop()
    expect(vi.getTimerCount()).toBe(0)
  })
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

test('a time that the autumn’s change of clocks repeats says which of the two it is', () => {
  vi.stubEnv('TZ', 'Europe/Paris')
  onTestFinished(() => void vi.unstubAllEnvs())
  const times = ['2026-10-24T23:59Z', '2026-10-25T00:15Z', '2026-10-25T01:15Z', '2026-10-25T02:15Z']
  expect(times.map((time) => formatTime(time))).toEqual(['01:59', '02:15 (UTC+2)', '02:15 (UTC+1)', '03:15'])
  expect(formatTime('2026-10-25T01:15:07Z', { hasSeconds: true })).toBe('02:15:07 (UTC+1)')
  // the spring's change repeats none
  expect(formatTime('2026-03-29T01:15Z')).toBe('03:15')
  vi.stubEnv('TZ', 'America/New_York')
  expect([formatTime('2026-11-01T05:30Z'), formatTime('2026-11-01T06:30Z')]).toEqual(['01:30 (UTC−4)', '01:30 (UTC−5)'])
  vi.stubEnv('TZ', 'America/St_Johns')
  expect(formatTime('2026-11-01T04:45Z')).toBe('01:15 (UTC−3:30)')
  vi.stubEnv('TZ', 'Australia/Lord_Howe')
  expect([formatTime('2026-04-04T14:45Z'), formatTime('2026-04-04T15:15Z')]).toEqual(['01:45 (UTC+11)', '01:45 (UTC+10:30)'])
})
