import { expect, type Page } from '@playwright/test'
import { instances } from '#contract/instances.ts'
import { LANGUAGES } from '#contract/languages.ts'
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

/** In every language. */
export async function untilQuestionsAreStored(page: Page, instanceId: string): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async (instanceId) => {
        // opening it would make it
        if (!(await indexedDB.databases()).some(({ name }) => name === 'touchline')) return 0
        return new Promise<number>((resolve) => {
          const opening = indexedDB.open('touchline')
          opening.onsuccess = () => {
            const keys = opening.result.transaction('definitions').objectStore('definitions').getAllKeys()
            keys.onsuccess = () => {
              opening.result.close()
              resolve(keys.result.filter((key) => JSON.stringify(key).includes(instanceId)).length)
            }
          }
        })
      }, instanceId),
    )
    .toBe(LANGUAGES.length)
}
