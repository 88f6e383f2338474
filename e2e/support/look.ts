import { expect, type Page } from '@playwright/test'
import { rowOf, type Language } from '#contract/languages.ts'
import { wordsOf, type Words } from './words.ts'

/** Checks for any screen. */

export async function speak(page: Page, language: Language): Promise<void> {
  const t: Words = wordsOf(language)
  await page.getByRole('button', { name: rowOf(language).name }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await expect(page.getByText(t('ui:Loading'), { exact: true })).toHaveCount(0)
}

/** Runs in the page: whatever is wider than the screen, and controls and texts that are cut off. */
export function whatIsCutOff(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  const wide = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []
  const parts = [...document.querySelectorAll<HTMLElement>('button, a, h1, h2, h3, dt, label, [role="tab"]')]
  const cut = parts.filter((part) => {
    const { width, height, left, right } = part.getBoundingClientRect()
    const { overflow, clipPath } = getComputedStyle(part)
    // a table scrolls inside its container
    if (part.closest('[role="region"][tabindex="0"]')) return false
    // for screen readers only, or not laid out yet
    if (clipPath !== 'none' || part.closest('.visually-hidden') || !part.checkVisibility({ contentVisibilityAuto: true })) return false
    const hides = overflow !== 'visible'
    const isCut = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1
    return width < 8 || height < 8 || (hides && isCut) || left < -1 || right > clientWidth + 1
  })
  return [...wide, ...cut.map((part) => `cut off: ${part.textContent}`)]
}

/** As if larger text were set in the browser. */
export async function enlarge(page: Page, percent: number): Promise<void> {
  await page.evaluate((percent) => {
    document.documentElement.style.fontSize = `${percent}%`
  }, percent)
}
