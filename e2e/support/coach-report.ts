import type { Page } from '@playwright/test'
import { instancesForCoach, type AllocatedInstance, type CoachReport } from '#contract/instances.coach.ts'
import { signInByApi } from './api.ts'
import { expect } from './journey.ts'
import { DEMO_COACH, teamOf } from './team-panel.ts'
import type { Words } from './words.ts'

export const REPORT = /\/api\/assessment\/coach\/allocated\/[^/]+\/report/
const SITUATIONS = ['Feedback', 'Exercise', 'BeforeMatch', 'AfterMatch', 'Mistake']

/** A player of the demo with a style and a letter that are clear, and a letter between two. */
function isMixed({ results }: AllocatedInstance): boolean {
  const letters = results?.section2.axes?.map(({ letter }) => letter) ?? []
  return results?.Section1.styles?.length === 1 && letters.includes(null) && letters.some((letter) => letter !== null)
}

export async function mixed(url: string) {
  const coach = await signInByApi(url, DEMO_COACH)
  const found = (await teamOf(coach)).find(isMixed)
  if (!found) throw new Error('The demo has no such player')
  const read = (language: 'en' | 'fr' = 'en') =>
    coach.api.ask(instancesForCoach.coachReport, { params: { instanceId: found.instanceId } }, language)
  return { coach, read, instanceId: found.instanceId, email: found.userEmail, name: [found.userName, found.userLastname].join(' ') }
}

/** Every line of the reply stands below its situation, with its source; and the three questions. */
export async function expectReport(page: Page, t: Words, { advice, results }: CoachReport): Promise<void> {
  for (const [at, key] of SITUATIONS.entries()) {
    const lines = page.getByRole('region', { name: t(`team:CoachReport${key}`), exact: true }).getByRole('listitem')
    await expect(lines).toHaveText(advice.situations[at]?.lines.map(({ source, text }) => `${source}: ${text}`) ?? [])
  }
  const questions = page.getByRole('region', { name: t('team:CoachReportQuestionsTitle') })
  await expect(questions.getByRole('listitem')).toHaveText(advice.questions)
  const clear = page.getByRole('region', { name: t('team:CoachReportClearTitle') })
  for (const { first, second, letter } of results.section2.axes)
    await expect(clear.getByRole('term').filter({ hasText: letter ?? `${first} / ${second}` })).not.toHaveCount(0)
  const between = results.section2.axes.filter(({ letter }) => letter === null)
  await expect(clear.getByText(t('team:CoachReportBetween'))).toHaveCount(between.length)
}
