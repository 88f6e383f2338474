import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { choiceOf, questionOf, ratingOf } from './support/questionnaire.ts'

/** A tap is drawn by the browser: React renders nothing between the tap and its frame. docs/decisions/0022 */

/** Counts what React commits from each click to the frame that shows it, by the hook that its developer tools use. */
async function countCommits(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    let commits = 0
    const perTap: number[] = []
    const hook = {
      supportsFiber: true,
      inject: () => 1,
      checkDCE: () => undefined,
      onCommitFiberRoot: () => (commits += 1),
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
    }
    Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook, commitsPerTap: perTap })
    let before = 0
    // a click focuses its target first, and that must not render either
    addEventListener('pointerdown', () => (before = commits), { capture: true })
    addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof HTMLInputElement) requestAnimationFrame(() => perTap.push(commits - before))
      },
      { capture: true },
    )
  })
  return () => page.evaluate(() => (window as unknown as { commitsPerTap: number[] }).commitsPerTap)
}

for (const [width, height, questions] of [
  [1280, 800, 0],
  [1280, 800, 12],
  [820, 1180, 56],
  [390, 844, 0],
] as const) {
  test(`a tap renders nothing before it is drawn: ${width} px, after ${questions} questions`, async ({ page, server }) => {
    await page.setViewportSize({ width, height })
    const commits = await countCommits(page)
    const player = await newPlayer(server.url, { questions })
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    await arriveAs(page, player, paths.test(player.instanceId))
    // on a phone one question is on screen, a ranking of four statements
    const shown = script.slice(questions, questions + (width > 768 ? 3 : 1))
    const taps = shown.flatMap((question) => question.items.slice(0, shown.length === 1 ? 3 : 1).map((item) => ({ question, item })))
    for (const [place, { question, item }] of taps.entries()) {
      await expect(questionOf(page, question)).toBeVisible()
      const choice = question.type === 'likertscale' ? ratingOf(page, item.text, item.value) : choiceOf(page, question)
      await choice.click()
      await expect(choice).toBeChecked()
      await expect.poll(async () => (await commits()).length).toBe(place + 1)
    }
    // a reply may arrive at that moment, but not at each tap
    expect(Math.min(...(await commits()))).toBe(0)
  })
}
