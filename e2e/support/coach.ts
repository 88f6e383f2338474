import type { Page } from '@playwright/test'
import { tokens } from '#contract/tokens.ts'
import { users, type ProfileChange } from '#contract/users.ts'
import { newAddress, payByApi, signInByApi, type Person } from './api.ts'
import type { Words } from './words.ts'

/** Coaches, registered on screen or by the API. */

/** Fills in the registration as Ana Lopes of Porto. */
export async function fillRegistration(page: Page, t: Words, email: string): Promise<void> {
  await page.getByRole('textbox', { name: t('details:FirstName'), exact: true }).fill('Ana')
  await page.getByRole('textbox', { name: t('details:LastName'), exact: true }).fill('Lopes')
  await page.getByRole('textbox', { name: t('details:Email') }).fill(email)
  await fillPorto(page, t)
}

/** The country, then a city from its list. */
export async function fillPorto(page: Page, t: Words): Promise<void> {
  await page.getByRole('combobox', { name: t('details:Country') }).fill('Portug')
  await page.getByRole('option', { name: 'Portugal', exact: true }).click()
  await page.getByRole('combobox', { name: t('details:City') }).fill('port')
  await page.getByRole('option', { name: 'Porto', exact: true }).click()
}

const details: ProfileChange = { firstName: 'Ana', lastName: 'Lopes', countryId: 'Portugal', cityId: 'Porto' }

/** A coach with a complete profile who has bought `tokens` tokens. */
export async function newCoach(url: string, { tokens: count = 0, hasDetails = true } = {}): Promise<Person> {
  const coach = await signInByApi(url, newAddress().replace('player', 'coach'), 'coach')
  if (hasDetails) await coach.api.ask(users.update, { params: { id: coach.userId }, body: details })
  if (count > 0) await coach.api.ask(tokens.completeCheckout, { body: { session_id: await payForTokens(coach, count) } })
  return coach
}

/** Pays without returning to the portal; resolves to the session. */
export async function payForTokens({ api }: Person, count: number): Promise<string> {
  const [priceId = ''] = (await api.ask(tokens.pricing, {})).priceIds
  const { clientSecret, sessionId } = await api.ask(tokens.checkout, { params: { priceId, quantity: String(count) } })
  await payByApi(api.url, clientSecret)
  return sessionId
}

/** The sandbox's card provider refunds so many cents of a payment, and reports it. */
export async function refund(url: string, sessionId: string, amount: number): Promise<void> {
  await fetch(`${url}/dev/stripe/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'refund', sessionId, amount }),
  })
}

export async function tokensAvailable({ api }: Person): Promise<number> {
  return (await api.ask(tokens.list, { query: {} })).available
}
