import type { Page } from '@playwright/test'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf } from './api.ts'
import type { Words } from './words.ts'

/** A player with an assessment, and what to answer in it; `other` differs in every answer. */
export async function begunPlayer(url: string, questions = 0) {
  const player = await newPlayer(url, { questions })
  const read = await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })
  return { player, script: scriptOf(read), other: scriptOf(read, 1) }
}

/** /device, by the menu. */
export async function openFromMenu(page: Page, t: Words): Promise<void> {
  await page.getByRole('link', { name: t('shell:MenuDevice'), exact: true }).click()
}

/** A save of answers. */
export const SAVING = /^\/api\/assessment\/assessment-instance\/responses/
