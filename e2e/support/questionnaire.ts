import { expect, type Locator, type Page } from '@playwright/test'
import type { ScriptedQuestion } from './api.ts'
import type { Words } from './words.ts'

/** Answers by pointer, as a person does: by the words on screen. */

/** The radio of one item's scripted answer, in the question that shows `text`. */
function choice(page: Page, t: Words, question: ScriptedQuestion, item: ScriptedQuestion['items'][number]): Locator {
  const group = page.getByRole('group', { name: question.text, exact: true })
  if (question.type !== 'likertscale') return group.getByRole('radio', { name: item.says, exact: true })
  const statement = group.getByRole('radiogroup', { name: item.text, exact: true })
  return statement.getByRole('radio', { name: t('assessment:TestRating', { rating: item.value, label: item.says }), exact: true })
}

export async function answer(page: Page, t: Words, question: ScriptedQuestion): Promise<void> {
  for (const item of question.items) await choice(page, t, question, item).check()
}

/** Every question of the script that is on screen in turn: opens a section by its tab, and on a phone goes on by Next. */
export async function answerAll(page: Page, t: Words, script: readonly ScriptedQuestion[]): Promise<void> {
  const tabs = page.getByRole('tablist', { name: t('assessment:TestSections') })
  for (const question of script) {
    const tab = tabs.getByRole('tab').nth(question.section)
    if ((await tab.getAttribute('aria-selected')) !== 'true')
      await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).click()
    const group = page.getByRole('group', { name: question.text, exact: true })
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    if (!(await group.isVisible())) await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).click()
    await answer(page, t, question)
  }
}

/** What is chosen on screen is what the script says. */
export async function expectAnswered(page: Page, t: Words, question: ScriptedQuestion): Promise<void> {
  for (const item of question.items) await expect(choice(page, t, question, item)).toBeChecked()
}

/** The whole questionnaire by keyboard alone, from the first question's first field. */
export async function answerByKeyboard(page: Page, script: readonly ScriptedQuestion[]): Promise<void> {
  for (const question of script) {
    for (const item of question.items) {
      await page.keyboard.press('Tab')
      if (question.type === 'likertscale') await page.keyboard.press(item.value)
    }
  }
}
