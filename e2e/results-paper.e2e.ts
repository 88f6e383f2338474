import { paths } from '#app/paths.ts'
import { LANGUAGES } from '#contract/languages.ts'
import type { Leaning } from '#sandbox/demo-accounts/leaning.ts'
import { completeAs, newPlayer } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { textOfPages, withoutSpace } from './support/paper.ts'
import { wordsOf } from './support/words.ts'

/** The results on paper, where most is printed: no letter and no style is clear. RESULTS-3 */

const NONE_STANDS: Leaning = {
  firstCounts: { EI: 6, SN: 5, TF: 7, JP: 4 },
  modes: { experience: 0, watch: 0, idea: 0, do: 0 },
  seed: 2,
}

/** A line that is cut in two is drawn on both pages. */
function repeated(page: string, next: string): string | undefined {
  for (let length = 20; length < 200; length += 1) if (page.endsWith(next.slice(0, length))) return next.slice(0, length)
  return undefined
}

for (const language of LANGUAGES) {
  test(`no heading ends a printed page, and no line is cut in two (${language})`, async ({ page, server }) => {
    const t = wordsOf(language)
    const player = await newPlayer(server.url)
    await completeAs(player, player.instanceId, NONE_STANDS)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await arriveAs(page, player, paths.results(player.instanceId), { language })
      await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
      const headings = [...(await page.locator('h2, h3, summary').allTextContents()), t('results:ResultsNeighbours', { count: 2 })].map(
        withoutSpace,
      )
      const pages = await textOfPages(await page.pdf({ format: 'A4' }))
      expect(pages.length).toBeGreaterThan(2)
      // no mark was given, and none can be given on paper
      expect(pages.join('')).not.toContain(withoutSpace(t('results:ResultsMarksText')))
      expect(pages.flatMap((text) => headings.filter((heading) => text.endsWith(heading)))).toEqual([])
      expect(pages.slice(1).flatMap((next, at) => repeated(pages[at] ?? '', next) ?? [])).toEqual([])
    }
  })
}
