import { beforeAll } from 'vitest'
import type { GroupValue } from '#contract/rules/questionnaire.ts'
import { QUESTIONS } from './questionnaire.ts'
import { Random } from './scheduler.ts'
import { Api } from './screens/api.ts'
import { portal } from './screens/bundle.ts'
import { Clock, onClock } from './screens/clock.ts'
import { lineTo, type Weather } from './screens/line.ts'
import { open } from './screens/many.ts'
import { disk } from './screens/disk.ts'
import { Phone, type PhonePorts } from './screens/phone.ts'
import type { Tab } from './screens/tab.ts'

/** Stories: what histories of pages have found, or find too seldom, each as a test of its own. */

let evaluate: PhonePorts['evaluate']
beforeAll(async () => {
  evaluate = await portal()
})

export interface Story {
  clock: Clock
  api: Api
  phone: Phone
  weather: Weather
  tabs: [Tab, Tab]
  /** the account's value of a question */
  held: (questionId: string) => GroupValue | undefined
}

/** Tells a story about two tabs that show the same assessment, which is stored on the phone. */
export function story(tell: (story: Story) => Promise<void>): Promise<void> {
  const clock = new Clock()
  const random = new Random(1)
  const weather: Weather = { troubles: new Map() }
  const api = new Api(clock, random, ['ana', 'ben'])
  const phone = new Phone({ clock, random, evaluate, line: lineTo(api, { clock, random, weather }) })
  return onClock(clock, async () => {
    try {
      const first = await open(phone, api, 'ana', clock)
      await clock.advance(5000)
      const second = phone.open()
      await clock.until(second.open(), 5000)
      second.page.openTest(api.account('ana').instanceId)
      await clock.advance(5000)
      await tell({ clock, api, phone, weather, tabs: [first, second], held: (id) => api.account('ana').server.groups.get(id)?.value })
    } finally {
      disk.isFull = disk.isNearlyFull = disk.takesAnswersOnly = false
      for (const tab of [...phone.tabs]) tab.kill()
    }
  })
}

export function tap(tab: Tab, questionId: string, value: GroupValue): void {
  const one = QUESTIONS.find(({ question }) => question.id === questionId)
  const shown = tab.page.shown()
  if (!one || !shown) throw new Error(`${questionId} is not on screen`)
  void shown.answers.answer(one.question, one.section.name, value)
}

export const EVERYTHING: Record<string, GroupValue> = {
  r1: { 'r1-a': '1', 'r1-b': '2', 'r1-c': '3', 'r1-d': '4' },
  r2: { 'r2-a': '1', 'r2-b': '2', 'r2-c': '3', 'r2-d': '4' },
  p1: { p1: 'A' },
  p2: { p2: 'B' },
  l1: { l1: '3' },
}

export const shownIn = (tab: Tab, questionId: string) => tab.page.shown()?.answers.snapshot().answers[questionId]

/** The edits of a tab that the account does not have. */
export const unsentIn = (tab: Tab) =>
  tab.page
    .shown()
    ?.answers.unsent()
    .map(({ edit }) => edit)

/** The browser deletes the database, and has room for answers from then on, but not for the questions. */
export async function leaveNoRoom({ clock, phone }: Pick<Story, 'clock' | 'phone'>): Promise<void> {
  phone.remove('touchline')
  disk.isNearlyFull = true
  await clock.advance(30_000)
}
