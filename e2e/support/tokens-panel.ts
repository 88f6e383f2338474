import type { Page } from '@playwright/test'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { instances } from '#contract/instances.ts'
import { responsesOf, scriptOf, type Person } from './api.ts'
import { expect } from './journey.ts'
import type { Words } from './words.ts'

/** Token management as a coach sees it, and allocations by the API. */

export const ALLOCATE = /^\/api\/assessment\/assessment-instance\/allocate/
export const TOKENS = /^\/api\/tokens(?:\?|$)/
export const ASSESSMENT = 'touchline-profile'

export const panel = (page: Page, t: Words) => page.getByRole('region', { name: t('tokens:TokenManagementTitle'), exact: true })
export const dialog = (page: Page) => page.getByRole('dialog')
export const row = (page: Page, t: Words, text: string) => panel(page, t).getByRole('row').filter({ hasText: text })
export const toast = (page: Page, words: string) => page.locator('#toasts').getByText(words, { exact: true })

export async function expectTotals(page: Page, t: Words, [total, used, available]: [number, number, number]): Promise<void> {
  const counts = { TokensTotal: total, TokensUsed: used, TokensAvailable: available }
  for (const [key, count] of Object.entries(counts)) {
    const figure = panel(page, t)
      .locator('dl > div')
      .filter({ hasText: t(`tokens:${key}`) })
    await expect(figure.getByRole('definition')).toHaveText(String(count))
  }
}

export async function openAssign(page: Page, t: Words, index: number): Promise<void> {
  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenAssignOf', { index }), exact: true })
    .click()
  await expect(page.getByRole('dialog', { name: t('tokens:AssignmentDetails') })).toBeVisible()
}

export const emailField = (page: Page, t: Words) => dialog(page).getByLabel(t('tokens:AssignPlayerEmail'))
export const assignButton = (page: Page, t: Words) => dialog(page).getByRole('button', { name: t('tokens:AssignSubmit') })

export async function give(coach: Person, playerEmail: string): Promise<string> {
  return (await coach.api.ask(instancesForCoach.allocate, { body: { playerEmail, assessmentId: ASSESSMENT } })).instanceId
}

/** The first answer of a player who was given an assessment. */
export async function begin(player: Person, instanceId: string): Promise<void> {
  const [first] = scriptOf(await player.api.ask(instances.get, { params: { instanceId } }))
  await player.api.ask(instances.saveResponses, { body: { instanceId, responses: first ? responsesOf(first) : [] } })
}

export const listField = (page: Page, t: Words) => dialog(page).getByLabel(t('tokens:AssignManyList'))
export const line = (page: Page, t: Words, text: string) =>
  dialog(page)
    .getByRole('list', { name: t('tokens:AssignManyLines') })
    .getByRole('listitem')
    .filter({ hasText: text })
export const send = (page: Page, t: Words) => dialog(page).getByRole('button', { name: t('tokens:AssignManySend'), exact: true })

export async function openMany(page: Page, t: Words): Promise<void> {
  await panel(page, t)
    .getByRole('button', { name: t('tokens:AssignMany') })
    .click()
  await expect(listField(page, t)).toBeVisible()
}
