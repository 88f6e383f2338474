import { expect } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { rowOf, type Language } from '#contract/languages.ts'
import type { Person, ScriptedQuestion } from '../api.ts'
import type { Words } from '../words.ts'
import type { EnginePage, Part } from './page.ts'

/** What players do in journeys of any engine. */

export const button = (name: string | RegExp): Part => ({ role: 'button', name })
export const heading = (name: string): Part => ({ role: 'heading', name })
const questionOf = ({ text }: ScriptedQuestion): Part => ({ role: 'group', name: text })

function choices(t: Words, question: ScriptedQuestion): Part[] {
  const within = questionOf(question)
  return question.items.map(({ text, value, says }) =>
    question.type === 'likertscale'
      ? {
          role: 'radio',
          name: t('assessment:TestRating', { rating: value, label: says }),
          within: { role: 'radiogroup', name: text, within },
        }
      : { role: 'radio', name: says, within },
  )
}

export async function answerAll(page: EnginePage, t: Words, script: readonly ScriptedQuestion[]) {
  await tapAnswers(page, t, script)
  await seesAnswered(page, t, script)
}

/** Waits for nothing after the last tap. */
export async function tapAnswers(page: EnginePage, t: Words, script: readonly ScriptedQuestion[]) {
  for (const question of script) for (const choice of choices(t, question)) await page.tap(choice)
}

export async function seesAnswered(page: EnginePage, t: Words, script: readonly ScriptedQuestion[]) {
  for (const question of script) for (const choice of choices(t, question)) await page.seesChosen(choice)
}

export async function signIn(page: EnginePage, t: Words, person: Person, origin: string) {
  await askForCode(page, t, person, origin)
  await typeCode(page, t, person)
}

export async function askForCode(page: EnginePage, t: Words, person: Person, origin: string) {
  await page.goto(origin + paths.login())
  await page.type({ role: 'textbox', name: t('auth:Email') }, person.email)
  await page.tap(button(t('auth:SendCode')))
}

export async function typeCode(page: EnginePage, t: Words, person: Person) {
  await page.type({ role: 'textbox', name: t('auth:OtpLabel', { count: 8 }) }, await newCode(person))
}

/** The code of this sign-in, not the one that the API signed in with: of so many mails with one. */
export async function newCode({ api, email }: Person, mails = 2): Promise<string> {
  await expect.poll(async () => (await api.mails(email)).filter(({ text }) => /\b\d{8}\b/.test(text)).length).toBe(mails)
  return api.code(email)
}

export async function speak(page: EnginePage, language: Language) {
  await page.tap(button(rowOf(language).name))
}
