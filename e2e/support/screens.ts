import { expect, type Locator, type Page } from '@playwright/test'
import type { Words } from './words.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** What only this screen shows: its URL alone may be passed through by a redirect. */
const SIGNS = {
  login: (page, t) => heading(page, t('auth:LoginTitle')),
  otp: (page, t) => heading(page, t('auth:OtpTitle')),
  onboard: (page, t) => heading(page, t('auth:OnboardTitle')),
  home: (page, t) => page.getByRole('region', { name: t('home:SummaryTitle') }),
  profile: (page, t) => heading(page, t('profile:ProfileTitle')),
  about: (page, t) => page.getByRole('heading', { level: 2, name: t('about:AboutTestTitle') }),
  checkout: (page, t) => page.getByText(t('checkout:DetailsIntro')),
  payment: (page, t) => heading(page, t('checkout:PurchaseAssessment')),
  profileReview: (page, t) => heading(page, t('checkout:ProfileReview')),
  purchaseToken: (page, t) => page.getByRole('button', { name: t('checkout:ContinueToPayment') }),
  purchaseTokenPayment: (page, t) => heading(page, t('checkout:TokenCheckout')),
  tokenPurchaseSuccessful: (page, t) => heading(page, t('token-purchase:PurchaseComplete')),
  confirmDetails: (page, t) => page.getByText(t('details:ConfirmDetailsBrief')),
  smallScreenWarning: (page, t) => heading(page, t('brief:BriefMobileTitle')),
  brief: (page, t) => page.getByRole('heading', { name: t('brief:BriefWhoSeesTitle') }),
  notFound: (page, t) => heading(page, t('shell:PageNotFound')),
  test: (page, t) => heading(page, t('assessment:TestTitle')),
  results: (page, t) => page.getByRole('heading', { name: t('results:ResultsLimitsTitle') }),
  coachReport: (page, t) => page.getByRole('heading', { name: t('team:CoachReportQuestionsTitle') }),
  operator: (page, t) => heading(page, t('operator:OperatorTitle')),
  answersFile: (page, t) => heading(page, t('answers-file:Title')),
  device: (page, t) => page.getByRole('heading', { name: t('device:WaitingTitle') }),
} satisfies Record<string, (page: Page, t: Words) => Locator>

export type Screen = keyof typeof SIGNS

/** Expects the URL and what that screen shows, and that the URL is still the same then. */
export async function expectScreen(
  page: Page,
  t: Words,
  screen: Screen,
  address: string | RegExp,
  options: { timeout?: number } = {},
): Promise<void> {
  await expect(page).toHaveURL(address, options)
  await expect(SIGNS[screen](page, t)).toBeAttached(options)
  await expect(page).toHaveURL(address)
}

/** Expects the whole query of the URL, which holds filters, order and page. */
export async function expectQuery(page: Page, query: Record<string, string>): Promise<void> {
  await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(query)
}
