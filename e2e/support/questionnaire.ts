import { expect, type Locator, type Page } from '@playwright/test'
import type { ScriptedQuestion } from './api.ts'
import type { Words } from './words.ts'

/** Answers by pointer, finding everything by the words on screen. */

/** The radio of one item's scripted answer, in the question that shows `text`. */
function choice(page: Page, t: Words, question: ScriptedQuestion, item: ScriptedQuestion['items'][number]): Locator {
  const group = questionOf(page, question)
  if (question.type !== 'likertscale') return group.getByRole('radio', { name: item.says, exact: true })
  const statement = group.getByRole('radiogroup', { name: item.text, exact: true })
  return statement.getByRole('radio', { name: t('assessment:TestRating', { rating: item.value, label: item.says }), exact: true })
}

/** Answers are given seconds apart, as by somebody who reads: without it a script answers faster than anybody. QUESTIONS-22 */
export async function takeTimeToRead(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const now = Date.now.bind(Date)
    let read = 0
    Date.now = () => now() + read
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => (read += 2000), { capture: true })
  })
}

export async function answer(page: Page, t: Words, question: ScriptedQuestion): Promise<void> {
  if (question.type !== 'likertscale' && isPhone(page)) return chooseAndMoveOn(page, t, question)
  for (const item of question.items) await choice(page, t, question, item).check()
}

/** On a phone a first choice leads to the next question; the last question and changed choices stay. */
async function chooseAndMoveOn(page: Page, t: Words, question: ScriptedQuestion): Promise<void> {
  const group = questionOf(page, question)
  const [item] = question.items
  if (!item) return
  const isLast = (await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).count()) === 0
  const isChanged = (await group.getByRole('radio', { checked: true }).count()) > 0
  if (isLast || isChanged) return choice(page, t, question, item).check()
  await choice(page, t, question, item).click()
  await expect(group).toHaveCount(0)
}

/** The group of one question's choices, by its words. */
export function questionOf(page: Page, question: ScriptedQuestion): Locator {
  return page.getByRole('group', { name: question.text, exact: true })
}

/** The scripted choice of a question with one choice. */
export function choiceOf(page: Page, question: ScriptedQuestion): Locator {
  return questionOf(page, question).getByRole('radio', { name: question.items[0]?.says ?? '', exact: true })
}

/** One rating of one statement, free or taken. */
export function ratingOf(page: Page, statement: string, rating: string): Locator {
  return page.getByRole('radiogroup', { name: statement, exact: true }).getByRole('radio', { name: new RegExp(`^${rating},`) })
}

/** Answers every question of the script in turn: on by Next, or back by the section's tab. */
export async function answerAll(page: Page, t: Words, script: readonly ScriptedQuestion[]): Promise<void> {
  for (const question of script) {
    await show(page, t, question)
    await answer(page, t, question)
  }
}

/** Goes to a question, by Next or by its section's tab. */
export async function show(page: Page, t: Words, question: ScriptedQuestion): Promise<void> {
  const tabs = page.getByRole('tablist', { name: t('assessment:TestSections') }).getByRole('tab')
  const next = page.getByRole('button', { name: t('assessment:TestNext'), exact: true })
  const group = questionOf(page, question)
  await expect(tabs.first()).toBeVisible()
  const here = await tabs.evaluateAll((all) => all.findIndex((tab) => tab.getAttribute('aria-selected') === 'true'))
  if (here === question.section - 1) await next.click()
  else if (here !== question.section) await tabs.nth(question.section).click()
  await expect(tabs.nth(question.section)).toHaveAttribute('aria-selected', 'true')
  if (isPhone(page) && (await group.count()) === 0) await next.click()
  await expect(group).toBeAttached()
}

/** Expects the script's answers to be chosen on screen. */
export async function expectAnswered(page: Page, t: Words, question: ScriptedQuestion): Promise<void> {
  await show(page, t, question)
  for (const item of question.items) await expect(choice(page, t, question, item)).toBeChecked()
}

/**
 * By keyboard alone, from the top of the questionnaire: Tab from field to field, digits rate, arrows choose, Enter on
 * Next. Stops at the last button.
 */
export async function answerByKeyboard(page: Page, t: Words, script: readonly ScriptedQuestion[]): Promise<void> {
  const isOneByOne = isPhone(page)
  let before: ScriptedQuestion | undefined
  for (const question of script) {
    const isNextScreen = before !== undefined && (isOneByOne || before.section !== question.section)
    if (isNextScreen) await pressNext(page, t)
    const group = questionOf(page, question)
    for (const [at, item] of question.items.entries()) {
      if (at === 0 && (isNextScreen || before === undefined)) await tabTo(page, group.getByRole('radio').first())
      else await page.keyboard.press('Tab')
      if (question.type === 'likertscale') await page.keyboard.press(item.value)
      else await chooseByArrows(page, await optionAt(group, item.says))
    }
    before = question
  }
  await tabTo(page, page.getByRole('button', { name: t('assessment:TestSubmit') }))
}

async function pressNext(page: Page, t: Words): Promise<void> {
  await tabTo(page, page.getByRole('button', { name: t('assessment:TestNext'), exact: true }))
  await page.keyboard.press('Enter')
}

function isPhone(page: Page): boolean {
  return (page.viewportSize()?.width ?? Number.POSITIVE_INFINITY) <= 768
}

/** Everything that the page's announcer says to screen readers, in order. */
export async function listenToAnnouncer(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    const region = document.getElementById('announcer')
    if (region) new MutationObserver(() => region.textContent && said.push(region.textContent)).observe(region, { childList: true })
  })
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said) // put there above
}

async function optionAt(group: Locator, says: string): Promise<number> {
  const options = await group.getByRole('radio').all()
  const names = await Promise.all(options.map((option) => option.evaluate((radio: HTMLInputElement) => radio.labels?.[0]?.textContent)))
  return names.indexOf(says)
}

/** In a group of radios the first is chosen by Space, the others by steps down. */
async function chooseByArrows(page: Page, steps: number): Promise<void> {
  if (steps === 0) await page.keyboard.press('Space')
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown')
}

const FURTHEST = 20

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < FURTHEST; presses += 1) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  await expect(target).toBeFocused()
}
