import { isAnswered, itemIdsOf, rate, RATINGS, sectionTypeOf, type GroupValue } from '#contract/rules/questionnaire.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { ANSWERS_DEVICE_KEY } from '#app/session/known-devices.ts'
import type { Waiting } from '#app/session/private-store.ts'
import { QUESTIONS } from '../questionnaire.ts'
import { Random } from '../scheduler.ts'
import { Api } from './api.ts'
import { Clock, withClock } from './clock.ts'
import { networkTo, FAULTS, type NetworkFaults } from './network.ts'
import { disk } from './disk.ts'
import { Phone, type PhonePorts } from './phone.ts'
import type { Tab } from './tab.ts'
import { Oracle } from './oracle.ts'
import { SignIns } from './sign-ins.ts'

/**
 * One history: people who share a phone tap, leave, discard, sign in and out, in up to three tabs, while the disk, the network, the
 * sessions and the browser fail. What the screens said is compared with the disk and the account (oracle.ts).
 */

const PEOPLE = ['ana', 'ben'] as const
const STEPS = 60
const EVERY_QUESTION = QUESTIONS.map(({ question }) => question.id)
const TABS_MAXIMUM = 3
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

  constructor(seed: number, evaluate: PhonePorts['evaluate']) {
    this.seed = seed
    this.random = new Random(seed)
    const { clock, random, faults } = this
    this.api = new Api(clock, random, PEOPLE)
    this.phone = new Phone({ clock, random, evaluate, network: networkTo(this.api, { clock, random, faults }) })
    const fail = (what: string) => this.fail(what)
    this.oracle = new Oracle({ api: this.api, phone: this.phone, clock, fail })
    this.signIns = new SignIns({ phone: this.phone, clock, fail })
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
      await this.#openTab()
      await this.#signIn(this.random.pick(PEOPLE))
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

  #note(step: string): void {
    this.steps.push(`${((this.clock.now - this.#startedAt) / 1000).toFixed(1)} s ${step}`)
    this.oracle.steppedAt = this.clock.now
    for (const tab of this.phone.tabs) tab.stimuli.push(this.clock.now)
  }

  // The steps

  async #step(): Promise<void> {
    const { random } = this
    const tab = random.pick(this.phone.tabs)
    if (!tab) return this.#openTab()
    const roll = random.next()
    if (tab.page.status() === 'guest') {
      if (roll < 0.5) return this.#signIn(random.pick(PEOPLE), tab)
    } else if (!tab.page.shown() && roll < 0.3) return this.#openTest(tab)
    if (roll < 0.5) return this.#tap(tab)
    const others: [number, () => unknown][] = [
      [3, () => this.#leave(tab)],
      [3, () => this.#openTest(tab)],
      [2, () => this.#discard(tab)],
      [1, () => this.#retry(tab)],
      [1, () => this.#resolveLate(tab)],
      [2, () => this.#signOut(tab)],
      [2, () => this.#openTab()],
      [2, () => this.#killTab(tab)],
      [1, () => this.#killBrowser()],
      [3, () => this.#fillDisk(!disk.isFull)],
      [2, () => this.#nearlyFillDisk(!disk.isNearlyFull)],
      [1, () => this.#hangCopy(!this.phone.isCopyHung)],
      [1, () => this.#evict()],
      [1, () => this.#removeDatabase()],
      [1, () => this.#clearSite()],
      [4, () => this.#toggleConnection()],
      [4, () => this.#toggleFault()],
      [2, () => this.#toggleRefusal()],
      [2, () => this.#refuseTokens()],
      [0.5, () => this.#endSessions()],
      [2, () => this.#answerElsewhere()],
      [1.5, () => this.#submit(tab)],
      [1, () => this.#flush()],
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

  async #openTab(): Promise<void> {
    if (this.phone.tabs.length >= TABS_MAXIMUM) return
    this.#note('open a tab')
    const tab = this.phone.open()
    this.signIns.noteStart()
    await this.clock.until(tab.open(), 5000)
    this.#openTest(tab)
  }

  async #signIn(userId: string, tab = this.phone.tabs[0]): Promise<void> {
    if (!tab || tab.page.status() !== 'guest') return
    this.#note(`${userId} signs in`)
    const signedIn = tab.page.signIn(this.api.credentials(userId))
    void this.signIns.signIn(userId, signedIn)
    await this.clock.until(signedIn, 2000)
    this.#openTest(tab)
  }

  #openTest(tab: Tab): void {
    const userId = tab.page.userId()
    if (tab.isDead || userId === undefined || tab.page.status() === 'guest') return
    this.#note('open the test')
    this.oracle.forgetUnnoticed(tab)
    tab.page.openTest(this.api.account(userId).instanceId)
  }

  async #tap(tab: Tab): Promise<void> {
    const last = this.#lastTap
    // nobody taps in two tabs within one millisecond, which is the unit that orders two edits (decision 0050), or in one more often
    const early = last.order + 1 - Math.floor(this.clock.now)
    if (last.tab !== tab && early > 0) await this.clock.advance(early)
    const questionnaire = tab.page.shown()
    if (!questionnaire || !canAnswer(questionnaire) || this.#tabsInDialog.has(tab)) return
    const { section, question } = this.random.pick(QUESTIONS)
    const group = questionnaire.answers.group(question)
    const value = this.#valueOf(question.id, group)
    const { userId } = questionnaire.key
    this.#note(`tap ${question.id} ${JSON.stringify(Object.values(value))}`)
    void questionnaire.answers.answer(question, section.name, value)
    const order = questionnaire.answers.ownRow(question)?.order ?? 0
    this.#lastTap = { tab, order }
    this.oracle.recordAnswer({ userId, questionId: question.id, value, order, tab })
    this.oracle.noteWrite()
  }

  #lastTap: { tab: Tab | undefined; order: number } = { tab: undefined, order: 0 }

  /** What a tap makes of a group, by the screen's rules. */
  #valueOf(questionId: string, group?: GroupValue): GroupValue {
    const { random } = this
    const found = QUESTIONS.find(({ question }) => question.id === questionId)
    if (!found) throw new Error(`there is no question ${questionId}`)
    const ids = itemIdsOf(found.question)
    const item = random.pick(ids)
    const before = group ?? Object.fromEntries(ids.map((id) => [id, null]))
    if (sectionTypeOf(found.section) === 'likertscale') return rate(before, item, random.pick(RATINGS))
    const chosen = sectionTypeOf(found.section) === 'ipsative' ? random.pick(['A', 'B']) : random.pick(['1', '2', '3', '4', '5'])
    // a second tap on the same choice clears it
    return { ...before, [item]: before[item] === chosen ? null : chosen }
  }

  #leave(tab: Tab): void {
    if (!tab.page.shown()) return
    this.oracle.forgetUnnoticed(tab)
    if (this.random.chance(0.5)) {
      this.#note('leave by a link')
      tab.page.openHome()
    } else {
      this.#note('save and exit')
      void tab.page.saveAndExit()
    }
  }

  #discard(tab: Tab): void {
    const questionnaire = tab.page.shown()
    const state = questionnaire?.get()
    if (!questionnaire || state?.state !== 'ready') return
    const { trouble, summary } = state.ready.instance
    if (!trouble) return
    const isEnded = summary.status === 'COMPLETED' || summary.status === 'RECLAIMED'
    if (!isEnded && !tab.page.isReachable()) return
    const { userId } = questionnaire.key
    const rows = questionnaire.answers.unsent(trouble.edits)
    this.#note(`discard ${rows.map(({ questionId }) => questionId).join(' ')}`)
    void questionnaire.discardUnsent(trouble.edits, isEnded).then(
      () => {
        for (const row of rows) this.oracle.forget(row)
        if (isEnded) this.oracle.allowEmpty(userId, EVERY_QUESTION)
      },
      () => undefined,
    )
    // from here on they may be empty
    this.oracle.allowEmpty(
      userId,
      rows.map(({ questionId }) => questionId),
    )
  }

  #retry(tab: Tab): void {
    const questionnaire = tab.page.shown()
    if (!questionnaire) return
    this.#note('try again')
    void questionnaire.retry().catch(() => undefined)
  }

  #resolveLate(tab: Tab): void {
    const questionnaire = tab.page.shown()
    const [late] = questionnaire?.answers.snapshot().late ?? []
    if (!questionnaire || !late) return
    const isRestored = this.random.chance(0.5)
    this.#note(`${isRestored ? 'take' : 'drop'} the late answer to ${late.questionId}`)
    const { userId } = questionnaire.key
    if (isRestored) this.oracle.recordAnswer({ ...late, order: undefined, userId, tab })
    void questionnaire.resolveLate(late.questionId, isRestored).catch(() => undefined)
  }

  #signOut(tab: Tab): void {
    const userId = tab.page.userId()
    if (userId === undefined || tab.page.status() === 'guest' || this.#tabsInDialog.has(tab)) return
    this.#note(`${userId} asks to sign out`)
    const choices = [this.random.pick(['keep', 'send', 'discard', 'stay'] as const), this.random.pick(['keep', 'discard', 'stay'] as const)]
    this.#tabsInDialog.add(tab)
    const signedOut = tab.page.signOutAs(
      async (found) => {
        const choice = choices.shift() ?? 'stay'
        this.#note(`dialog: ${found === 'unknown' ? found : JSON.stringify(countsOf(found))}, ${choice}`)
        if (choice === 'discard') this.oracle.noteDiscarding(tab, userId)
        // the dialog says that these exist in their page only, or that the device lost what was stored
        if (choice === 'keep' && (found === 'unknown' || found.unwritten > 0 || found.isDeleted)) this.oracle.forgetUnwritten(userId)
        return choice
      },
      () => this.signIns.leave(tab, userId),
    )
    void signedOut.finally(() => {
      this.#tabsInDialog.delete(tab)
      this.oracle.endDiscarding(tab)
      this.signIns.endLeaving(tab)
    })
  }
  /** tabs in which the dialog is open: nothing else can be tapped */
  readonly #tabsInDialog = new Set<Tab>()

  #killTab(tab: Tab): void {
    this.#note('kill a tab')
    tab.kill()
    this.signIns.endLeaving(tab)
    this.oracle.endDiscarding(tab)
    this.oracle.forgetWith(tab)
  }

  #killBrowser(): void {
    this.#note('kill the browser')
    const tabs = [...this.phone.tabs]
    const id = this.phone.local.get(ANSWERS_DEVICE_KEY)
    this.phone.kill()
    this.signIns.noteKilled()
    // local storage had not reached the disk, and the database had no room for it
    if (this.phone.local.get(ANSWERS_DEVICE_KEY) !== id && !this.phone.hasIdOnDisk()) this.oracle.noteIdLost()
    for (const tab of tabs) {
      this.oracle.endDiscarding(tab)
      this.oracle.forgetWith(tab)
    }
  }

  #fillDisk(isFull: boolean): void {
    this.#note(isFull ? 'the disk is full' : 'the disk is free')
    disk.isFull = isFull
    this.oracle.noteDiskChange()
  }

  #nearlyFillDisk(isNearlyFull: boolean): void {
    this.#note(isNearlyFull ? 'the disk has no room for questions' : 'the disk has room for questions')
    disk.isNearlyFull = isNearlyFull
    this.oracle.noteDiskChange()
  }

  #hangCopy(isHung: boolean): void {
    this.#note(`the database of the sign-in ${isHung ? 'hangs' : 'responds'}`)
    this.phone.isCopyHung = isHung
  }

  #evict(): void {
    const hasEvents = this.random.chance(0.7)
    this.#note(`the browser drops the databases${hasEvents ? '' : ' and says nothing'}`)
    this.phone.evict(hasEvents)
    this.signIns.noteCopyLost()
    this.#noteIdLost()
    this.oracle.noteEvicted()
    if (!hasEvents) this.oracle.noteSilentEviction()
  }

  #removeDatabase(): void {
    this.#note('the database is deleted')
    this.phone.deleteDatabase('touchline')
    this.#noteIdLost()
    this.oracle.noteEvicted()
  }

  /** With the database, if local storage has no copy since the browser was killed. */
  #noteIdLost(): void {
    if (!this.phone.local.has(ANSWERS_DEVICE_KEY)) this.oracle.noteIdLost()
  }

  #clearSite(): void {
    this.#note('all site data is cleared')
    this.phone.evict(true)
    this.phone.clearLocal()
    this.signIns.noteCleared()
    this.oracle.noteIdLost()
    this.oracle.noteEvicted()
    // clearing everything signs the person out
    this.oracle.forgetEvicted()
  }

  #toggleConnection(): void {
    const isOnline = !this.phone.isOnline
    this.#note(isOnline ? 'the line is back' : 'the line is cut')
    this.phone.setOnline(isOnline)
  }

  #toggleFault(): void {
    const where = this.random.pick(['user/auth', 'auth', 'assessment/assessment-instance/responses', 'assessment', ''])
    const isOver = this.faults.byPath.size > 0 && this.random.chance(0.5)
    const fault = this.random.pick([...FAULTS, 'slow', 'slow', 'slow'] as const)
    this.#note(isOver ? 'calls succeed again' : `calls to /${where}: ${fault}`)
    if (isOver) this.faults.byPath.clear()
    else this.faults.byPath.set(where, fault)
  }

  #toggleRefusal(): void {
    const { question } = this.random.pick(QUESTIONS)
    const { refused } = this.api
    this.#note(`${refused.has(question.id) ? 'accept' : 'refuse'} ${question.id}`)
    if (!refused.delete(question.id)) refused.add(question.id)
  }

  #refuseTokens(): void {
    this.#note('access tokens are refused')
    this.api.refuseTokens()
  }

  #endSessions(): void {
    const userId = this.random.pick(PEOPLE)
    this.#note(`${userId}'s sessions are ended`)
    this.api.endSessions(userId)
    this.signIns.noteEnded(userId)
  }

  async #answerElsewhere(): Promise<void> {
    const userId = this.random.pick(PEOPLE)
    this.#note(`${userId} answers on another device`)
    await this.clock.until(
      this.api.answerElsewhere(userId, (questionId) => this.#valueOf(questionId)),
      1000,
    )
  }

  #submit(tab: Tab): void {
    const questionnaire = tab.page.shown()
    if (!questionnaire || !canAnswer(questionnaire)) return
    const { answers } = questionnaire.answers.snapshot()
    if (!QUESTIONS.every(({ question }) => itemIdsOf(question).every((id) => isAnswered(answers[question.id]?.[id])))) return
    this.#note('submit')
    void questionnaire.submit().catch(() => undefined)
  }

  #flush(): void {
    this.#note('local storage reaches the disk')
    this.phone.flush()
    this.signIns.noteFlushed()
  }

  // The end

  async #settle(): Promise<void> {
    this.#note('all trouble ends')
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
    this.oracle.checkOpenPages()
    this.oracle.checkCallRates()
    this.oracle.forgetLeftBehind()
    // each person signs in once more, and presses every button for a retry
    for (const userId of PEOPLE) {
      for (const tab of [...this.phone.tabs]) tab.kill()
      this.phone.local.clear()
      this.phone.deleteDatabase('touchline-session')
      await this.clock.advance(1000)
      await this.#openTab()
      await this.#signIn(userId)
      const [tab] = this.phone.tabs
      if (!tab) throw new Error('there is no tab')
      this.#openTest(tab)
      for (let i = 0; i < 5; i += 1) {
        await this.clock.advance(60_000)
        const state = tab.page.shown()?.get()
        if (state?.state === 'ready' && state.ready.instance.trouble) this.#retry(tab)
      }
      this.oracle.checkArrived(userId)
    }
  }
}

function countsOf({ answers, unwritten, late, submits }: Waiting) {
  return { answers, unwritten, late, submits }
}

/** As the test screen: neither ended nor submitted. */
function canAnswer(questionnaire: Questionnaire): boolean {
  const state = questionnaire.get()
  if (state.state !== 'ready') return false
  const { summary, finish } = state.ready.instance
  return (summary.status === 'OWNED' || summary.status === 'IN_PROGRESS') && (finish === null || finish === 'details')
}
