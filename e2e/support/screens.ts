import { expect, type Page } from '@playwright/test'
import type { Words } from './words.ts'

/** What stands on a screen and on no other: an address alone may be passed through by a redirect. */
const SIGNS = {
  home: (page: Page, t: Words) => page.getByRole('region', { name: t('home:SummaryTitle') }),
  login: (page: Page, t: Words) => page.getByRole('heading', { level: 1, name: t('auth:LoginTitle') }),
  otp: (page: Page, t: Words) => page.getByRole('heading', { level: 1, name: t('auth:OtpTitle') }),
  brief: (page: Page, t: Words) => page.getByRole('heading', { name: t('assessment:BriefWhoSeesTitle') }),
  test: (page: Page, t: Words) => page.getByRole('heading', { level: 1, name: t('assessment:TestTitle') }),
  results: (page: Page, t: Words) => page.getByRole('heading', { name: t('assessment:ResultsLimitsTitle') }),
  profileReview: (page: Page, t: Words) => page.getByRole('heading', { level: 1, name: t('checkout:ProfileReview') }),
  purchaseToken: (page: Page, t: Words) => page.getByRole('button', { name: t('checkout:ContinueToPayment') }),
} satisfies Record<string, (page: Page, t: Words) => unknown>

/** The address, and what that screen shows; the address is still the same then. */
export async function expectScreen(page: Page, t: Words, screen: keyof typeof SIGNS, address: string | RegExp): Promise<void> {
  await expect(page).toHaveURL(address)
  await expect(SIGNS[screen](page, t)).toBeAttached()
  await expect(page).toHaveURL(address)
}
