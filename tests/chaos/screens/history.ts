import { Random } from '../scheduler.ts'
import { Actions, PEOPLE } from './actions.ts'
import { Api } from './api.ts'
import { checkCallRates } from './call-rates.ts'
import { Clock, withClock } from './clock.ts'
import { disk } from './disk.ts'
import { Failures } from './failures.ts'
import { networkTo, type NetworkFaults } from './network.ts'
import { Oracle } from './oracle.ts'
import { Phone, type PhonePorts } from './phone.ts'
import { SignIns } from './sign-ins.ts'

/**
 * One history: people who share a phone tap, leave, discard, sign in and out, in up to three tabs (actions.ts), while the disk, the network,
 * the sessions and the browser fail (failures.ts). What the screens said is compared with the disk and the account (oracle.ts).
 */

const STEPS = 60

export class History {
  readonly seed: number
  readonly random: Random
  readonly clock = new Clock()
  readonly api: Api
  readonly phone: Phone
  readonly oracle: Oracle
  readonly signIns: SignIns
  readonly faults: NetworkFaults = { byPath: new Map() }
  readonly steps: string[] = []
  readonly #startedAt = this.clock.now
  readonly #actions: Actions
  readonly #failures: Failures

  constructor(seed: number, evaluate: PhonePorts['evaluate']) {
    this.seed = seed
    this.random = new Random(seed)
    const { clock, random, faults } = this
    this.api = new Api(clock, random, PEOPLE)
    this.phone = new Phone({ clock, random, evaluate, network: networkTo(this.api, { clock, random, faults }) })
    const fail = (what: string) => this.fail(what)
    this.oracle = new Oracle({ api: this.api, phone: this.phone, clock, fail })
    this.signIns = new SignIns({ phone: this.phone, clock, fail })
    this.#actions = new Actions(this)
    this.#failures = new Failures(this)
  }

  fail(what: string): never {
    throw new Error(`seed ${this.seed}: ${what}\nafter: ${this.steps.slice(-25).join(' · ')}`)
  }

  async run(): Promise<void> {
    await withClock(this.clock, () => this.#play())
  }

  async #play(): Promise<void> {
    try {
      disk.isFull = disk.isNearlyFull = false
      await this.#actions.openTab()
      await this.#actions.signIn(this.random.pick(PEOPLE))
      for (let i = 0; i < STEPS; i += 1) {
        await this.#step()
        await this.clock.advance(this.random.pick([0, 0, 1, 20, 20, 300, 300, 700, 1500, 5000, 35_000, 120_000]))
        this.oracle.check()
        this.signIns.check()
      }
      await this.#settle()
    } finally {
      for (const tab of [...this.phone.tabs]) tab.kill()
      disk.isFull = disk.isNearlyFull = false
    }
  }

  /** A step of this history, in the words of a failure. */
  note(step: string): void {
    this.steps.push(`${((this.clock.now - this.#startedAt) / 1000).toFixed(1)} s ${step}`)
    this.oracle.steppedAt = this.clock.now
    for (const tab of this.phone.tabs) tab.stimuli.push(this.clock.now)
  }

  // The steps

  async #step(): Promise<void> {
    const { random } = this
    const tab = random.pick(this.phone.tabs)
    if (!tab) return this.#actions.openTab()
    const roll = random.next()
    if (tab.page.status() === 'guest') {
      if (roll < 0.5) return this.#actions.signIn(random.pick(PEOPLE), tab)
    } else if (!tab.page.shown() && roll < 0.3) return this.#actions.openTest(tab)
    if (roll < 0.5) return this.#actions.tap(tab)
    const others: [number, () => unknown][] = [
      [3, () => this.#actions.leave(tab)],
      [3, () => this.#actions.openTest(tab)],
      [2, () => this.#actions.discard(tab)],
      [1, () => this.#actions.retry(tab)],
      [1, () => this.#actions.resolveLate(tab)],
      [2, () => this.#actions.signOut(tab)],
      [2, () => this.#actions.openTab()],
      [2, () => this.#failures.killTab(tab)],
      [1, () => this.#failures.killBrowser()],
      [3, () => this.#failures.fillDisk(!disk.isFull)],
      [2, () => this.#failures.nearlyFillDisk(!disk.isNearlyFull)],
      [1, () => this.#failures.hangCopy(!this.phone.isCopyHung)],
      [1, () => this.#failures.evict()],
      [1, () => this.#failures.removeDatabase()],
      [1, () => this.#failures.clearSite()],
      [4, () => this.#failures.toggleConnection()],
      [4, () => this.#failures.toggleFault()],
      [2, () => this.#failures.toggleRefusal()],
      [2, () => this.#failures.refuseTokens()],
      [0.5, () => this.#failures.endSessions()],
      [2, () => this.#actions.answerElsewhere()],
      [1.5, () => this.#actions.submit(tab)],
      [1, () => this.#failures.flush()],
    ]
    let remaining = random.next() * others.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, act] of others) {
      remaining -= weight
      if (remaining < 0) {
        await act()
        return
      }
    }
  }

  // The end

  async #settle(): Promise<void> {
    this.note('all trouble ends')
    this.faults.byPath.clear()
    this.api.refused.clear()
    disk.isFull = disk.isNearlyFull = false
    this.phone.isCopyHung = false
    this.oracle.noteDiskChange()
    this.oracle.forgetIfUnnoticed()
    if (!this.phone.isOnline) this.phone.setOnline(true)
    // open pages send by themselves, without being reopened
    await this.clock.advance(10 * 60_000)
    this.oracle.check()
    this.signIns.check()
    this.oracle.forgetLeftBehind()
    this.oracle.checkOpenPages()
    checkCallRates(this.phone, (what) => this.fail(what))
    // each person signs in once more, and presses every button for a retry
    for (const userId of PEOPLE) {
      for (const tab of [...this.phone.tabs]) tab.kill()
      this.phone.local.clear()
      this.phone.deleteDatabase('touchline-session')
      await this.clock.advance(1000)
      await this.#actions.openTab()
      await this.#actions.signIn(userId)
      const [tab] = this.phone.tabs
      if (!tab) throw new Error('there is no tab')
      this.#actions.openTest(tab)
      for (let i = 0; i < 5; i += 1) {
        await this.clock.advance(60_000)
        const state = tab.page.shown()?.get()
        if (state?.state === 'ready' && state.ready.instance.trouble) this.#actions.retry(tab)
      }
      this.oracle.checkArrived(userId)
    }
  }
}
