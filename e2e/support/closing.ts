import type { Locator, Page } from '@playwright/test'
import { ONE_TIME_CODE_LENGTH } from '#contract/constants.ts'
import { expect } from './journey.ts'
import type { Words } from './words.ts'

/** Closing one's account, on the profile. PROFILE-42 */

/** Opens the section, which is collapsed at first. */
export async function unfold(page: Page, t: Words): Promise<void> {
  await page.getByText(t('profile:CloseAccountTitle'), { exact: true }).click()
}

/** Opens the section and the dialog. */
export async function askToClose(page: Page, t: Words): Promise<Locator> {
  await unfold(page, t)
  await page.getByRole('button', { name: t('profile:CloseAccountButton') }).click()
  return page.getByRole('dialog', { name: t('profile:CloseAccountQuestion') })
}

/** The second step, once the dialog is open. */
export async function closeWithCode(question: Locator, t: Words, code: () => Promise<string>): Promise<void> {
  await question.getByRole('button', { name: t('profile:CloseAccountSendCode') }).click()
  const field = question.getByLabel(t('profile:CloseAccountCode', { digits: ONE_TIME_CODE_LENGTH }))
  await expect(field).toBeFocused()
  await field.pressSequentially(await code())
  await question.getByRole('button', { name: t('profile:CloseAccountConfirm') }).click()
}
