import { beforeAll } from 'vitest'
import type { GroupValue } from '#contract/rules/questionnaire.ts'
import { QUESTIONS } from './questionnaire.ts'
import { Random } from './scheduler.ts'
import { Api } from './screens/api.ts'
import { buildPortal } from './screens/bundle.ts'
import { Clock, withClock } from './screens/clock.ts'
import { networkTo, type NetworkFaults } from './screens/network.ts'
import { signInAndOpenTest } from './screens/waiting-phones.ts'
import { disk } from './screens/disk.ts'
import { Phone, type PhonePorts } from './screens/phone.ts'
import type { Tab } from './screens/tab.ts'

/** Scenarios: faults that the histories of pages found, or rarely meet, each as a test of its own. */

let evaluate: PhonePorts['evaluate']
beforeAll(async () => {
  evaluate = await buildPortal()
})

export interface Scenario {
  clock: Clock
  api: Api
  phone: Phone
  faults: NetworkFaults
  tabs: [Tab, Tab]
  /** the account's value of a question */
  accountValue: (questionId: string) => GroupValue | undefined
}

/** Runs a scenario with two tabs that show the same assessment, which is stored on the phone. */
export function scenario(run: (scenario: Scenario) => Promise<void>): Promise<void> {
  const clock = new Clock()
  const random = new Random(1)
  const faults: NetworkFaults = { byPath: new Map() }
  const api = new Api(clock, random, ['ana', 'ben'])
  const phone = new Phone({ clock, random, evaluate, network: networkTo(api, { clock, random, faults }) })
  return withClock(clock, async () => {
    try {
      const first = await signInAndOpenTest(phone, api, 'ana', clock)
      await clock.advance(5000)
      const second = phone.open()
      await clock.until(second.open(), 5000)
      second.page.openTest(api.account('ana').instanceId)
      await clock.advance(5000)
      await run({ clock, api, phone, faults, tabs: [first, second], accountValue: (id) => api.account('ana').server.groups.get(id)?.value })
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

export const ALL_ANSWERS: Record<string, GroupValue> = {
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

/** Deletes the database, and from then on leaves room for answers, but not for the questions. */
export async function leaveRoomForAnswersOnly({ clock, phone }: Pick<Scenario, 'clock' | 'phone'>): Promise<void> {
  phone.deleteDatabase('touchline')
  disk.isNearlyFull = true
  await clock.advance(30_000)
}
