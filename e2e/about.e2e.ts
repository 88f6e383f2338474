import { paths } from '#app/paths.ts'
import { settings } from '#contract/settings.ts'
import { Api, newPlayer } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { texts } from './support/words.ts'

/** /about, word for word. ABOUT-1, OPERATE-3 */

test('the page explains the test, the platform and what a result means, and has the links', async ({ page, t, server }) => {
  await arriveAs(page, await newPlayer(server.url, { hasBought: false }), paths.about())
  await expect(page.getByRole('heading', { level: 1, name: t('about:AboutTitle') })).toBeVisible()
  const main = page.getByRole('main')
  // every sentence of ours, including those on minors and on deletion
  for (const [key, text] of texts('en')) {
    if (key.startsWith('about:') && !text.includes('{{')) await expect(main.getByText(text).first(), key).toBeAttached()
  }
  await expect(main.getByText(t('about:AboutLimitsDelete', { days: 30 }))).toBeVisible()
  await expect(main.getByRole('link', { name: t('about:AboutLimitsDeleteLink') })).toHaveAttribute('href', paths.profile())

  const { links } = await new Api(server.url).ask(settings.get, {})
  for (const [key, href] of [
    ['AboutWebsite', links.website],
    ['AboutVideoChannel', links.videoChannel],
    ['AboutCreditsGeoNames', 'https://www.geonames.org/'],
    ['AboutCreditsLicenceName', 'https://creativecommons.org/licenses/by/4.0/'],
  ] as const) {
    const link = main.getByRole('link', { name: t(`about:${key}`) })
    await expect(link, key).toHaveAttribute('href', href)
    await expect(link, key).toHaveAttribute('target', '_blank')
  }
  for (const key of ['AboutTerms', 'AboutPrivacy', 'AboutContact']) {
    await expect(main.getByRole('link', { name: t(`about:${key}`) }), key).toHaveAttribute('aria-disabled', 'true')
  }
})

test('the link to the section on what a result means moves the focus there', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, `${paths.about()}#limits`)
  const limits = page.getByRole('heading', { level: 2, name: t('about:AboutLimitsTitle') })
  await expect(limits).toBeFocused()
  await expect(limits).toBeInViewport()
})
