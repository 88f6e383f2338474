import { describe, expect, it } from 'vitest'
import { queryClient } from '#app/api/query-client.ts'
import * as app from '#app/constants.ts'
import { formatDate } from '#app/i18n/format.ts'
import { preferredLanguage } from '#app/i18n/preferred-language.ts'
import { monthChoices } from '#app/parts/details/birth-date-fields.tsx'
import { fuzzyFilter, fuzzyScore } from '#app/ui/forms/fuzzy.ts'
import { FALLBACK_LANGUAGE, LANGUAGES } from '#contract/languages.ts'
import * as contract from '#contract/constants.ts'
import { formatPrice, showsDiscount } from '#contract/rules/pricing.ts'
import { birthYears, GENDERS } from '#contract/rules/profile.ts'
import { themes } from '#tests/support/css-tokens.ts'

/** The numbers of docs/requirements.md, so that none changes by accident. */
describe('the numbers of the requirements', () => {
  it('sign-in and session', () => {
    expect({ ...contract, ...app }).toMatchObject({
      ONE_TIME_CODE_LENGTH: 8,
      REFRESH_BEFORE_EXPIRY_MS: 600_000,
      EXPIRING_SOON_MS: 300_000,
      REFRESH_RETRIES_MAXIMUM: 3,
    })
  })

  it('cached data: 60 seconds after last use, and nothing is asked again by itself', () => {
    expect(app.CACHE_TIME_MS).toBe(60_000)
    expect(queryClient.getDefaultOptions().queries).toMatchObject({
      gcTime: 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchOnMount: false,
    })
  })

  it('tokens and bulk discount', () => {
    expect(contract).toMatchObject({
      TOKEN_COUNT_MINIMUM: 1,
      TOKEN_COUNT_MAXIMUM: 100,
      TOKEN_COUNT_DEFAULT: 1,
      BULK_THRESHOLD_DEFAULT: 12,
      BULK_PERCENT_DEFAULT: 20,
    })
  })

  it('prices: cents by 100, two decimals, $ and the code in uppercase; a discount only where it is lower; USD without a list', () => {
    expect(formatPrice(4905, 'cad')).toBe('$49.05 CAD')
    expect(formatPrice(100)).toBe('$1.00 USD')
    expect(contract.CURRENCY_DEFAULT).toBe('USD')
    expect([showsDiscount(3900, 4900), showsDiscount(4900, 4900), showsDiscount(5000, 4900)]).toEqual([true, false, false])
  })

  it('pages: assessments 10, tables 10', () => {
    expect(contract).toMatchObject({ ASSESSMENT_PAGE_SIZE: 10, PAGE_SIZE: 10 })
  })

  it('lists of cities: more than 100 are cut to 50; more than 2 letters bring at most 50; 100, 90, 80, 60', () => {
    const cities = (count: number) => Array.from({ length: count }, (_, place) => `Town ${place}`)
    expect([fuzzyFilter(cities(100), 'To'), fuzzyFilter(cities(101), 'To')].map(({ length }) => length)).toEqual([100, 50])
    expect(fuzzyFilter(cities(100), 'Tow')).toHaveLength(50)
    expect(['lyon', 'ly', 'yo', 'ln', 'x'].map((query) => fuzzyScore(query, 'Lyon'))).toEqual([100, 90, 80, 60, 0])
  })

  it('dates of birth, gender, sport', () => {
    expect([birthYears(2026)[0], birthYears(2026).at(-1), birthYears(2026).length]).toEqual([2026, 1927, 100])
    expect(monthChoices('en').map(({ value }) => value)).toEqual('01 02 03 04 05 06 07 08 09 10 11 12'.split(' '))
    expect(GENDERS).toEqual(['male', 'female'])
    expect(contract.SPORT).toEqual({ id: 'soccer', name: 'Soccer' })
  })

  it('photo: 1:1, zoom 1 to 3, quality 1, marks at 10, 50, 100; initials of 2 letters', () => {
    expect(app).toMatchObject({
      PHOTO_ASPECT: 1,
      PHOTO_ZOOM_MINIMUM: 1,
      PHOTO_ZOOM_MAXIMUM: 3,
      PHOTO_JPEG_QUALITY: 1,
      PHOTO_PROGRESS: [10, 50, 100],
      INITIALS_MAXIMUM: 2,
    })
  })

  it('layout: mobile at 768 px; the sidebar’s cookie, key and widths; the tooltip’s delay', () => {
    expect(app).toMatchObject({
      MOBILE_BREAKPOINT_PX: 768,
      SIDEBAR_COOKIE: 'sidebar:state',
      SIDEBAR_COOKIE_SECONDS: 7 * 24 * 3600,
      SIDEBAR_KEY: 'b',
      // the skip delay has no setting (SHELL-14)
      TOOLTIP_DELAY_MS: 700,
    })
    expect(themes().light).toMatchObject({ sidebar: '16rem', 'sidebar-mobile': '18rem', 'sidebar-icon': '3rem' })
  })

  it('toasts: 5000 ms, removed 1000000 ms later, swiped from 50 px', () => {
    expect(app).toMatchObject({ TOAST_MS: 5000, TOAST_REMOVE_DELAY_MS: 1_000_000, TOAST_SWIPE_PX: 50 })
  })

  it('dates as “do MMM yyyy”; English, the fallback, and French', () => {
    expect(formatDate('2026-03-01T12:00:00Z', 'en')).toBe('1st Mar 2026')
    expect(LANGUAGES).toEqual(['en', 'fr'])
    expect([FALLBACK_LANGUAGE, preferredLanguage(null, ['de-CH'])]).toEqual(['en', 'en'])
  })
})
