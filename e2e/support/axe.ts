import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** WCAG 2.2 A and AA. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules that a theme can break. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

/** The findings of axe on the page as it is: by the rules with these tags, or only those of colour. */
export async function whatAxeFinds(page: Page, rules: string[] | 'colours'): Promise<string[]> {
  // it stays in the page and its frames until they are left
  const isThere = await Promise.all(page.frames().map((frame) => frame.evaluate(() => 'axe' in window)))
  // elements are reported for violations only, since the rest is most of the work
  const axe = new AxeBuilder(isThere.every(Boolean) ? { page, axeSource: 'undefined' } : { page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
  if (rules === 'colours') axe.withRules(RULES_OF_COLOUR)
  else axe.withTags(rules)
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}
