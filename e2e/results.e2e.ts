import { paths } from '#app/paths.ts'
import { instances, ownResults } from '#contract/instances.ts'
import { signInByApi, type Person } from './support/api.ts'
import { arriveAs, expect, goOffline, test, untilWorkerIsThere } from './support/journey.ts'
import { startOf, wordsOf } from './support/words.ts'

/** A result to keep: §2 results, §3 Report content, ruling 19; conventions §2.4. */

async function done(url: string) {
  const player = await signInByApi(url, 'player.done@demo.test')
  return { player, ...(await resultOf(player)) }
}

async function resultOf({ api }: Person) {
  const [instance] = (await api.ask(instances.list, { query: {} })).data
  const results = instance && ownResults(instance)
  if (!results) throw new Error('The demo player has no result')
  return { instanceId: instance.instanceId, results }
}

test('the pair, one picture, its tables, the words, and where they lead', async ({ page, context, t, server }) => {
  const { player, instanceId, results } = await done(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  const { Section1, section2 } = results
  await expect(page.getByRole('heading', { level: 1, name: `${Section1.result} ${section2.label}`, exact: true })).toBeVisible()

  const bars = page.getByRole('region', { name: t('assessment:ResultsPreferencesTitle') }).getByRole('listitem')
  await expect(bars).toHaveCount(4)
  for (const [at, axis] of section2.axes.entries()) {
    const share = Math.round((axis.firstCount * 100) / (axis.firstCount + axis.secondCount))
    await expect(bars.nth(at)).toContainText(`${share}%`)
    await expect(bars.nth(at)).toContainText(`${100 - share}%`)
    await expect(bars.nth(at)).toContainText(/slight|clear|strong/)
    await expect(bars.nth(at).getByText(t('assessment:ResultsCloseCall'))).toHaveCount(axis.closeCall ? 1 : 0)
  }
  const picture = page.getByRole('img', { name: startOf(t('assessment:ResultsModesPicture')) })
  for (const sum of Object.values(Section1.modes)) await expect(picture).toHaveAccessibleName(new RegExp(`\\b${sum}\\b`))

  await expect(page.getByRole('table')).toHaveCount(0)
  await page.getByText(t('assessment:ResultsFigures'), { exact: true }).click()
  await expect(page.getByRole('table', { name: t('assessment:ResultsPreferencesTable') }).getByRole('row')).toHaveCount(5)
  await expect(page.getByRole('table', { name: t('assessment:ResultsModesTable') }).getByRole('row')).toHaveCount(5)

  await expect(page.getByRole('region', { name: t('assessment:ResultsOverviewTitle') }).getByRole('paragraph')).not.toHaveCount(0)
  await expect(page.getByRole('region', { name: t('assessment:ResultsPerformersTitle') }).getByRole('listitem')).not.toHaveCount(0)
  const [report] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: startOf(t('assessment:ResultsReportLink')) }).click(),
  ])
  await expect.poll(() => report.url()).toMatch(/\/media\/sample\/assessmentSampleReportImpact\.pdf$/)
  await report.close()
  await page.getByRole('link', { name: t('assessment:LimitsLink') }).click()
  await expect(page.getByRole('heading', { name: t('about:AboutLimitsTitle') })).toBeInViewport()
})

test('read again without a connection, it says of when it is', async ({ page, t, server }) => {
  const { player, instanceId } = await done(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  await untilWorkerIsThere(page)
  await expect(page.getByRole('heading', { name: t('assessment:ResultsOverviewTitle') })).toBeVisible()
  const asOf = page.getByText(startOf(t('parts:AsOf')))
  await expect(asOf).toBeHidden()
  await goOffline(page, t)
  await page.reload()
  await expect(page.getByRole('heading', { name: t('assessment:ResultsOverviewTitle') })).toBeVisible()
  await expect(asOf).toBeVisible()
})

for (const language of ['en', 'fr'] as const) {
  test(`on paper it is whole, and nothing else is there (${language})`, async ({ page, server }) => {
    const t = wordsOf(language)
    const { player, instanceId } = await done(server.url)
    await arriveAs(page, player, paths.results(instanceId), { language })
    await expect(page.getByRole('heading', { name: t('assessment:ResultsOverviewTitle') })).toBeVisible()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.getByText('Touchline · ')).toBeVisible()
    // unfolded, although nobody has opened it
    await expect(page.getByRole('table')).toHaveCount(2)
    for (const gone of [
      page.getByRole('banner'),
      page.getByRole('button'),
      page.getByRole('link', { name: t('assessment:ReturnToDashboard') }),
    ]) {
      for (const one of await gone.all()) await expect(one).toBeHidden()
    }
    // paper is white, whatever the screen was
    const colours = await page.evaluate(() => {
      const { color } = getComputedStyle(document.querySelector('h1') ?? document.body)
      return { color, isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth }
    })
    expect(colours).toEqual({ color: 'rgb(20, 33, 26)', isWide: false })
  })
}

test('results are printed on white, whatever the screen’s colours are', async ({ page, t, server }) => {
  const { player, instanceId } = await done(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  await expect(page.getByRole('heading', { name: t('assessment:ResultsOverviewTitle') })).toBeVisible()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ media: 'print', colorScheme })
    const ground = await page.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)
    expect.soft(ground, colorScheme).toBe('rgb(255, 255, 255)')
  }
})
