import { QUESTIONS } from '../questionnaire.ts'
import { Random } from '../scheduler.ts'
import { Api } from './api.ts'
import { Clock, withClock } from './clock.ts'
import { networkTo, type Fault, type NetworkFaults } from './network.ts'
import { Phone, type PhonePorts } from './phone.ts'
import type { Tab } from './tab.ts'

/** Phones that only wait: one whose session cannot be renewed, and many that return at the same moment. */

const HOUR_MS = 3_600_000

/** Signs in, opens the test, and waits until it can be answered. */
export async function signInAndOpenTest(phone: Phone, api: Api, userId: string, clock: Clock): Promise<Tab> {
  const tab = phone.open()
  await clock.until(tab.open(), 5000)
  await clock.until(tab.page.signIn(api.credentials(userId)), 2000)
  tab.page.openTest(api.account(userId).instanceId)
  return tab
}

function tap(tab: Tab): void {
  const one = QUESTIONS.find(({ question }) => question.id === 'p1')
  if (one) void tab.page.shown()?.answers.answer(one.question, one.section.name, { p1: 'A' })
}

/** How many calls a phone with one unsent answer makes in an hour in which its token is refused and renewing it fails like this. */
export async function callsInAnHour(trouble: Fault, evaluate: PhonePorts['evaluate'], seed: number): Promise<number> {
  const clock = new Clock()
  const random = new Random(seed)
  const faults: NetworkFaults = { byPath: new Map() }
  const api = new Api(clock, random, ['ana'])
  const phone = new Phone({ clock, random, evaluate, network: networkTo(api, { clock, random, faults }) })
  return withClock(clock, async () => {
    const tab = await signInAndOpenTest(phone, api, 'ana', clock)
    await clock.advance(30_000)
    api.refuseTokens()
    for (const start of ['user/auth', 'auth']) faults.byPath.set(start, trouble)
    const from = clock.now
    tap(tab)
    await clock.advance(HOUR_MS)
    tab.kill()
    return tab.calls.filter(({ at }) => at >= from).length
  })
}

interface ReturnMeasurement {
  /** until every phone's answer was in its account; undefined if that took longer than ten minutes */
  seconds: number | undefined
  /** the most calls that reached the server in one second */
  peak: number
  /** calls that the server refused, as too many waited */
  refused: number
}

/** The server handles this many calls a second, and lets this many wait. */
const PER_SECOND = 100
const WAITING_MAXIMUM = 500
const OUTAGE_MS = 5 * 60_000

/** A server is down for five minutes; phones with an unsent answer and an expired token each reach it again by themselves. */
export async function measureReturn(count: number, evaluate: PhonePorts['evaluate']): Promise<ReturnMeasurement> {
  const clock = new Clock()
  const random = new Random(count)
  const faults: NetworkFaults = { byPath: new Map() }
  const people = Array.from({ length: count }, (_, place) => `player${place}`)
  const api = new Api(clock, random, people)
  const direct = networkTo(api, { clock, random, faults })
  let isBack = false
  let freeAt = 0
  let refused = 0
  const callsBySecond = new Map<number, number>()
  const network: PhonePorts['network'] = async (request, tab) => {
    if (!isBack) return direct(request, tab)
    const second = Math.floor(clock.now / 1000)
    callsBySecond.set(second, (callsBySecond.get(second) ?? 0) + 1)
    const wait = Math.max(freeAt - clock.now, 0)
    if (wait > (WAITING_MAXIMUM / PER_SECOND) * 1000) {
      refused += 1
      return { status: 503, headers: { 'retry-after': '1' }, body: { code: 'UNAVAILABLE', message: '', requestId: 'r' } }
    }
    freeAt = Math.max(freeAt, clock.now) + 1000 / PER_SECOND
    await clock.wait(wait + 1000 / PER_SECOND)
    return direct(request, tab)
  }
  return withClock(clock, async () => {
    const tabs: Tab[] = []
    for (const userId of people) tabs.push(await signInAndOpenTest(new Phone({ clock, random, evaluate, network }), api, userId, clock))
    await clock.advance(30_000)
    api.refuseTokens()
    faults.byPath.set('', 'cut')
    for (const tab of tabs) {
      tap(tab)
      await clock.advance((random.next() * 60_000) / count)
    }
    await clock.advance(OUTAGE_MS)
    faults.byPath.clear()
    isBack = true
    const backAt = clock.now
    const haveAllArrived = () => people.every((userId) => api.has(userId, 'p1', { p1: 'A' }))
    while (!haveAllArrived() && clock.now - backAt < 10 * 60_000) await clock.advance(1000)
    const seconds = haveAllArrived() ? (clock.now - backAt) / 1000 : undefined
    for (const tab of tabs) tab.kill()
    return { seconds, peak: Math.max(...callsBySecond.values()), refused }
  })
}
