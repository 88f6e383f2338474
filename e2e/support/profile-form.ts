import type { Page } from '@playwright/test'
import type { Front } from './front.ts'
import { gate } from './journey.ts'
import { expectScreen } from './screens.ts'
import type { Words } from './words.ts'

/** The form of /profile, and its calls. */

export const PROFILE_CALL = /^\/api\/user\/[^/]+$/

export const firstNameIn = (tab: Page, t: Words) => tab.getByRole('textbox', { name: t('details:FirstName') })
export const lastNameIn = (tab: Page, t: Words) => tab.getByRole('textbox', { name: t('details:LastName'), exact: true })
export const saveIn = (tab: Page, t: Words) => tab.getByRole('button', { name: t('details:Save'), exact: true })

/** Saves are carried out once the returned function is called. */
export function holdSaves(front: Front): () => void {
  const { opened, open } = gate()
  front.bend(PROFILE_CALL, (incoming, _reply, pass) => (incoming.method === 'PATCH' ? void opened.then(pass) : pass()))
  return open
}

export async function leaveForHome(page: Page, t: Words): Promise<void> {
  await page.getByRole('link', { name: t('shell:MenuHome'), exact: true }).click()
  await expectScreen(page, t, 'home', /\/$/)
}

export async function openProfileFromMenu(page: Page, t: Words): Promise<void> {
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  await expectScreen(page, t, 'profile', /\/profile$/)
}

/** Saves another first name. */
export async function saveAs(page: Page, t: Words, firstName: string): Promise<void> {
  await firstNameIn(page, t).fill(firstName)
  await saveIn(page, t).click()
}
