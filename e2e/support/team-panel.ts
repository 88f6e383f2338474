import type { Page } from '@playwright/test'
import { assessments } from '#contract/assessments.ts'
import { instancesForCoach, type AllocatedInstance } from '#contract/instances.coach.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, type Person } from './api.ts'
import { newCoach } from './coach.ts'
import { startOf, type Words } from './words.ts'

/** The team overview as a coach sees it, and the teams it shows. */

/** With 20 players in every state. */
export const DEMO_COACH = 'coach@demo.test'
export const ALLOCATED = /\/api\/assessment\/coach\/allocated/

export const team = (page: Page, t: Words) => page.getByRole('region', { name: t('team:TeamOverviewTitle'), exact: true })
export const refresh = (page: Page, t: Words) => team(page, t).getByRole('button', { name: t('team:Refresh'), exact: true })
export const teamRows = (page: Page, t: Words) => team(page, t).getByRole('rowheader')
export const teamNames = async (page: Page, t: Words) =>
  (await teamRows(page, t).allInnerTexts()).map((text) => text.split('\n').at(-1) ?? '')
export const teamCell = (page: Page, t: Words, column: string) =>
  team(page, t).getByLabel(startOf(t('team:TeamCellOf', { column: t(`team:TeamColumn${column}`), name: '' })))
export const teamHeading = (page: Page, t: Words, column: string) =>
  team(page, t).getByRole('columnheader', { name: t(`team:TeamColumn${column}`), exact: true })

export async function teamOf(person: Person): Promise<AllocatedInstance[]> {
  return (await person.api.ask(instancesForCoach.allocated, { query: {} })).assessments
}

/** A coach who gave one player an assessment; the player has opened the brief, so the row shows the name. */
export async function coachOfOne(url: string): Promise<Person> {
  const [coach, player] = [await newCoach(url, { tokens: 1 }), await newPlayer(url, { hasBought: false })]
  const [assessment] = (await coach.api.ask(assessments.list, { query: { page: 1, limit: 10 } })).data
  const body = { playerEmail: player.email, assessmentId: assessment?.assessmentId ?? '' }
  const { instanceId } = await coach.api.ask(instancesForCoach.allocate, { body })
  await player.api.ask(instances.briefOpened, { params: { instanceId } })
  return coach
}
