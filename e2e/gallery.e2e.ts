import type { Locator, Page } from '@playwright/test'
import type { Language } from '#contract/languages.ts'
import { expect, expectAccessible, test } from './support/journey.ts'
import { whatIsCutOff } from './support/look.ts'
import { wordsOf } from './support/words.ts'

/** /dev/gallery: every component in its states, in both languages and themes, checked by axe and by keyboard. */

test.setTimeout(180_000)

const pieceOf = (page: Page, file: string) => page.getByRole('region', { name: file, exact: true })

async function open(page: Page, language: Language, more = ''): Promise<void> {
  const t = wordsOf(language)
  await page.goto(`/dev/gallery?lang=${language}${more}`)
  await expect(page.getByRole('heading', { name: t('gallery:GalleryTitle'), level: 1 })).toBeVisible()
  // data from the API has arrived
  const country = pieceOf(page, 'parts/details/country-city-fields.tsx')
    .getByRole('combobox', { name: t('details:Country') })
    .nth(1)
  await expect(country).toHaveValue('France')
}

for (const language of ['en', 'fr'] as const) {
  for (const width of [390, 1280]) {
    test(`all components, ${language}, ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      for (const theme of ['light', 'dark']) {
        await open(page, language, `&theme=${theme}`)
        await expectAccessible(page, theme)
      }
      expect(await page.evaluate(whatIsCutOff)).toEqual([])
    })
  }
}

test('fields beside each other stand at one height, also beside a hint and an error', async ({ page }) => {
  await page.setViewportSize({ width: 820, height: 1180 })
  await open(page, 'en')
  for (const file of ['parts/details/team-fields.tsx', 'parts/details/birth-date-fields.tsx']) {
    const boxes = await pieceOf(page, file)
      .locator('input, select')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect))
    const isUneven = (one: DOMRect, other: DOMRect) => one.top < other.bottom && other.top < one.bottom && Math.abs(one.y - other.y) > 8
    const uneven = boxes.filter((one) => boxes.some((other) => isUneven(one, other)))
    expect(uneven, file).toEqual([])
  }
})

test('the fields of a birth date are as wide with an error as without', async ({ page }) => {
  await page.setViewportSize({ width: 820, height: 1180 })
  await open(page, 'en')
  const fields = pieceOf(page, 'parts/details/birth-date-fields.tsx').locator('select')
  const widths = await fields.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)))
  expect(new Set(widths).size, String(widths)).toBe(1)
})

test('every state shows something, but for an empty one', async ({ page, t }) => {
  await open(page, 'en')
  const blank = () =>
    page.locator('.gallery-state').evaluateAll((states) =>
      states.flatMap((state) => {
        const shown = state.querySelector('.gallery-shown')
        const parts = [...(shown?.querySelectorAll('*') ?? [])].map((part) => part.getBoundingClientRect())
        if (shown?.textContent.trim() || parts.some(({ width, height }) => width > 0 && height > 0)) return []
        return `${state.closest('.gallery-piece')?.querySelector('h2')?.textContent}: ${state.querySelector('h3')?.textContent}`
      }),
    )
  // some words and pictures come later
  await expect.poll(async () => (await blank()).filter((one) => !one.endsWith(`: ${t('gallery:StateEmpty')}`))).toEqual([])
})

test('the gallery shows components without a connection', async ({ page, t }) => {
  await open(page, 'en', '&connection=none')
  const form = pieceOf(page, 'parts/details/details-form.tsx')
  await expect(form.getByText(t('details:SaveNeedsConnection')).first()).toBeVisible()
  await expectAccessible(page, 'not connected')
})

test('the chosen theme is drawn', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  const ground = () => page.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)
  await open(page, 'en')
  const light = await ground()
  await open(page, 'en', '&theme=dark')
  expect(await ground()).not.toBe(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, 'en', '&theme=light')
  expect(await ground()).toBe(light)
})

test('every component is reached by keyboard, and dialogs open and return the focus', async ({ page, t }) => {
  await open(page, 'en')
  const pieces = await page.getByRole('region').evaluateAll((regions) => regions.length)
  const reached = new Set<string>()
  // exactly as many stops as there are: nothing traps the focus
  const stops = await page.locator('a[href], button, input, select, [tabindex="0"]').count()
  await page.locator('body').press('Tab')
  for (let stop = 1; stop <= stops; stop += 1) {
    const at = await page.evaluate(() => {
      const { activeElement } = document
      const piece = activeElement?.closest('.gallery-piece')?.querySelector('h2')?.textContent
      return { piece: piece ?? '', isPage: activeElement === document.body }
    })
    if (at.isPage) break
    reached.add(at.piece)
    await page.keyboard.press('Tab')
  }
  expect(pieces).toBeGreaterThan(40)
  for (const file of [
    'ui/forms/button.tsx',
    'ui/tables/data-table.tsx',
    'ui/feedback/toast-host.tsx',
    'parts/details/team-fields.tsx',
    'parts/dashboard/panel.tsx',
  ]) {
    expect(reached).toContain(file)
  }

  for (const file of ['ui/feedback/confirm.dialog.tsx', 'ui/feedback/dialog.tsx', 'ui/feedback/dialog-body.tsx']) {
    const show = pieceOf(page, file)
      .getByRole('button', { name: t('gallery:Show') })
      .first()
    await openAndLeave(page, show)
  }
})

async function openAndLeave(page: Page, show: Locator): Promise<void> {
  await show.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expectAccessible(page, 'dialog')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(show).toBeFocused()
}
