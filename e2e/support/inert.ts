import type { Locator } from '@playwright/test'
import { expect } from './journey.ts'

/** It is named as disabled, and a press changes nothing. */
export async function expectInert(button: Locator): Promise<void> {
  await expect(button).toBeDisabled()
  await button.click({ force: true })
  await expect(button).toBeVisible()
}
