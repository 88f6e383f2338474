import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** WCAG 2.2 A and AA. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** All that a theme can change. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

/** What axe finds on the page as it stands: by the rules with these tags, or by those of colour alone. */
export async function whatAxeFinds(page: Page, rules: string[] | 'colours'): Promise<string[]> {
  // in the page it stays, as long as the page and its frames do
  const isThere = await Promise.all(page.frames().map((frame) => frame.evaluate(() => 'axe' in window)))
  // only what is violated is told of each element: the rest is most of the work
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
