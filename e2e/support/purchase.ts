import { expect, type Page } from '@playwright/test'
import type { Language } from '#contract/languages.ts'
import { wordsOf, type Words } from './words.ts'

export const GOOD_CARD = '4242 4242 4242 4242'
/** of one token, without a discount */
export const TOKEN_PRICE = '$35.00 USD'
export const DECLINED_CARD = '4000 0000 0000 0002'

/** The card form, in the provider's frame. */
export function cardForm(page: Page) {
  return page.locator('iframe').contentFrame()
}

export async function pay(page: Page, number: string): Promise<void> {
  const form = cardForm(page)
  await form.getByLabel(/card number|numéro de (la )?carte/i).fill(number)
  await form.getByLabel(/expiry|expiration/i).fill('12 / 40')
  await form.getByLabel('CVC').fill('123')
  await form.getByRole('button', { name: /^(pay|payer)/i }).click()
}

export interface Details {
  country: string
  /** the letters to type, and the city to choose */
  typed: string
  city: string
}

/** The player's own details, as a purchase asks for them. */
export async function fillDetails(page: Page, t: Words, { country, typed, city }: Details): Promise<void> {
  await page.getByRole('textbox', { name: t('details:FirstName'), exact: true }).fill('Inès')
  await page.getByRole('textbox', { name: t('details:LastName'), exact: true }).fill('Okonkwo-Roy')
  await chooseFromList(page, t('details:Country'), country)
  await chooseFromList(page, t('details:City'), city, typed)
  await page.getByLabel(t('details:Gender')).selectOption({ label: t('details:GenderFemale') })
  await page.getByLabel(t('details:BirthMonth')).selectOption('05')
  await page.getByLabel(t('details:BirthYear')).selectOption('2006')
  await page.getByLabel(t('details:BestPosition')).selectOption({ label: t('parts:PositionGoalkeeper') })
}

/** @param typed the letters to type */
export async function chooseFromList(page: Page, label: string, option: string, typed = option.slice(0, 5)): Promise<void> {
  const field = page.getByRole('combobox', { name: label }).first()
  await field.fill('')
  await field.pressSequentially(typed)
  await page.getByRole('option', { name: option, exact: true }).click()
  await expect(field).toHaveValue(option)
}

/** Expects the page after a purchase of this many tokens. */
export async function expectReceipt(page: Page, language: Language, count: number): Promise<void> {
  const t = wordsOf(language)
  await expect(page.getByRole('heading', { level: 1, name: t('token-purchase:PurchaseComplete') })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: t('token-purchase:TokensAvailable', { count }) })).toContainText(String(count))
}

/** The first team of a details form. */
export async function fillTeam(page: Page, t: Words): Promise<void> {
  const team = page.getByRole('group', { name: t('details:TeamNumber', { number: 1 }) })
  await team.getByLabel(t('details:ClubType')).selectOption({ label: 'Amateur Club' })
  await team.getByLabel(t('details:ClubName')).fill('AS Test')
  await team.getByLabel(t('details:TeamName')).fill('U17 A')
  for (const [label, option] of [
    [t('details:TeamCountry'), 'Canada'],
    [t('details:TeamLocation'), 'Montréal'],
  ] as const) {
    const field = team.getByRole('combobox', { name: label })
    await field.click()
    await field.fill(option.slice(0, 5))
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await team.getByLabel(t('details:TeamGender')).selectOption({ label: 'Mixed' })
  await team.getByLabel(t('details:AgeGroup')).selectOption({ label: 'Senior' })
}
