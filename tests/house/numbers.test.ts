import { expect, it } from 'vitest'
import * as app from '#app/constants.ts'
import * as contract from '#contract/constants.ts'
import { birthYears } from '#contract/rules/profile.ts'

/** The numbers of §9, so that none changes by accident. */
it('§9 Business constants and limits', () => {
  expect({ ...contract, ...app }).toMatchObject({
    ONE_TIME_CODE_LENGTH: 8,
    REFRESH_BEFORE_EXPIRY_MS: 600_000,
    EXPIRING_SOON_MS: 300_000,
    REFRESH_RETRIES_MAXIMUM: 3,
    CACHE_KEPT_MS: 60_000,
    TOKEN_COUNT_MINIMUM: 1,
    TOKEN_COUNT_MAXIMUM: 100,
    TOKEN_COUNT_DEFAULT: 1,
    BULK_THRESHOLD_DEFAULT: 12,
    BULK_PERCENT_DEFAULT: 20,
    CURRENCY_DEFAULT: 'USD',
    ASSESSMENT_PAGE_SIZE: 10,
    MOBILE_BREAKPOINT_PX: 768,
    SIDEBAR_COOKIE: 'sidebar:state',
    SIDEBAR_COOKIE_SECONDS: 7 * 24 * 3600,
    SIDEBAR_KEY: 'b',
    TOAST_MS: 5000,
    TOAST_REMOVE_DELAY_MS: 1_000_000,
    TOAST_SWIPE_PX: 50,
    INITIALS_MAXIMUM: 2,
  })
  expect(birthYears(2026)).toHaveLength(100)
  expect(birthYears(2026)[0]).toBe(2026)
})
