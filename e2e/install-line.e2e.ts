import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'

/** How the dashboard says to install the app. HOME-21 */

const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

test.describe('on an iPhone', () => {
  test.use({ userAgent: IPHONE, viewport: { width: 390, height: 844 } })

  test('the dashboard says how to install the app until the note is closed', async ({ page, t, server }) => {
    const installLine = page.getByRole('complementary', { name: t('player:InstallTitle') })
    await arriveAs(page, await newPlayer(server.url, { hasBought: false }), paths.home())
    await expect(panel(page, t('home:AvailableAssessmentsTitle'))).toBeVisible()
    await expect(installLine).toHaveCount(0)

    await arriveAs(page, await newPlayer(server.url), paths.home())
    await expect(installLine).toContainText(t('player:InstallByHand'))
    await installLine.getByRole('button', { name: t('player:InstallClose') }).click()
    await expect(installLine).toHaveCount(0)
    await page.reload()
    await expect(panel(page, t('player:InProgressAssessmentsTitle'))).toBeVisible()
    await expect(installLine).toHaveCount(0)
  })

  test('the installed app has no such note', async ({ page, t, server }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
    await arriveAs(page, await newPlayer(server.url), paths.home())
    await expect(panel(page, t('player:InProgressAssessmentsTitle'))).toBeVisible()
    await expect(page.getByRole('complementary', { name: t('player:InstallTitle') })).toHaveCount(0)
  })
})

test('the dashboard installs the app if the browser offers it', async ({ page, t, server }) => {
  await arriveAs(page, await newPlayer(server.url), paths.home())
  const installLine = page.getByRole('complementary', { name: t('player:InstallTitle') })
  await expect(panel(page, t('player:InProgressAssessmentsTitle'))).toBeVisible()
  await expect(installLine).toHaveCount(0)
  const asked = page.evaluate(
    () =>
      new Promise((resolve) => {
        dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: () => resolve('asked') }))
      }),
  )
  await installLine.getByRole('button', { name: t('shell:Install') }).click()
  expect(await asked).toBe('asked')
  await expect(installLine).toHaveCount(0)
})
