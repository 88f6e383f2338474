import { sameValue } from '#contract/rules/merge.ts'
import { isAnswered, itemIdsOf, rate, RATINGS, sectionTypeOf, type GroupValue } from '#contract/rules/questionnaire.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import type { Waiting } from '#app/session/private-store.ts'
import { QUESTIONS } from '../questionnaire.ts'
import { Random } from '../scheduler.ts'
import { Api, ELSEWHERE } from './api.ts'
import { Clock, onClock } from './clock.ts'
import { lineTo, TROUBLES, type Weather } from './line.ts'
import { disk, Phone, type PhonePorts, type Tab } from './phone.ts'

/**
 * One history: people who share a phone tap, leave, discard, sign in and out, in up to three tabs, while the disk, the network, the
 * sessions and the browser fail. What they were told is written down and compared with what is true.
 */

const PEOPLE = ['ana', 'ben'] as const
const STEPS = 60
const TABS_MAXIMUM = 3
/** A screen may be wrong this long after the disk lost everything or refused it; ms. */
const GRACE_MS = 12_000
/** Nothing is compared while what the last step began is still on its way. */
const QUIET_MS = 600

/** An answer that somebody gave on this phone, and that they have not changed since. */
interface Given {
  userId: string
  questionId: string
  value: GroupValue
  /** where it was given: while it is on no disk, it dies with its tab */
  tab: Tab
  /** a screen said that it is saved */
  isPromised: boolean
  /** the disk lost it after that, so only an open page may have it */
  wasEvicted: boolean
  /** entries in the account's log when it was given */
  logged: number
}

export class History {
  readonly seed: number
  readonly random: Random
  readonly clock = new Clock()
  readonly api: Api
  readonly phone: Phone
  readonly weather: Weather = { troubles: new Map() }
  /** by person and question */
  readonly #given = new Map<string, Given>()
  /** every value that a question had on this phone, by the same */
  readonly #values = new Map<string, GroupValue[]>()
  /** questions whose answer its owner discarded, or may have: they may be shown empty */
  readonly #emptied = new Set<string>()
  readonly steps: string[] = []
  /** when the disk last lost or refused something, epoch ms */
  #shakenAt = Number.NEGATIVE_INFINITY
  #steppedAt = 0
  /** the databases were dropped without a word: no page can know before it writes again */
  #isUnnoticed = false
  readonly #startedAt = this.clock.now

  constructor(seed: number, evaluate: PhonePorts['evaluate']) {
    this.seed = seed
    this.random = new Random(seed)
    const { clock, random, weather } = this
    this.api = new Api(clock, random, PEOPLE)
    this.phone = new Phone({ clock, random, evaluate, line: lineTo(this.api, { clock, random, weather }) })
  }

  fail(what: string): never {
    throw new Error(`seed ${this.seed}: ${what}\nafter: ${this.steps.slice(-25).join(' · ')}`)
  }

  async run(): Promise<void> {
    await onClock(this.clock, () => this.#live())
  }

  async #live(): Promise<void> {
    try {
      disk.isFull = false
      await this.#openTab()
      await this.#signIn(this.random.pick(PEOPLE))
      for (let i = 0; i < STEPS; i += 1) {
        await this.#step()
        await this.clock.advance(this.random.pick([0, 0, 1, 20, 20, 300, 300, 700, 1500, 5000, 35_000, 120_000]))
        this.#compare()
      }
      await this.#settle()
    } finally {
      for (const tab of [...this.phone.tabs]) tab.kill()
      disk.isFull = false
    }
  }

  #note(step: string): void {
    this.steps.push(`${((this.clock.now - this.#startedAt) / 1000).toFixed(1)} s ${step}`)
    this.#steppedAt = this.clock.now
    for (const tab of this.phone.tabs) tab.stimuli.push(this.clock.now)
  }

  // What people and fate do

  async #step(): Promise<void> {
    const { random } = this
    const tab = random.pick(this.phone.tabs)
    if (!tab) return this.#openTab()
    const dice = random.next()
    if (tab.page.status() === 'guest') {
      if (dice < 0.5) return this.#signIn(random.pick(PEOPLE), tab)
    } else if (!tab.page.shown() && dice < 0.3) return this.#openTest(tab)
    if (dice < 0.5) return this.#tap(tab)
    const others: [number, () => unknown][] = [
      [3, () => this.#leave(tab)],
      [3, () => this.#openTest(tab)],
      [2, () => this.#discard(tab)],
      [1, () => this.#retry(tab)],
      [1, () => this.#settleLate(tab)],
      [2, () => this.#signOut(tab)],
      [2, () => this.#openTab()],
      [2, () => this.#killTab(tab)],
      [1, () => this.#killBrowser()],
      [3, () => this.#fillDisk(!disk.isFull)],
      [1, () => this.#evict()],
      [1, () => this.#removeDatabase()],
      [1, () => this.#clearSite()],
      [4, () => this.#network()],
      [4, () => this.#trouble()],
      [2, () => this.#refuse()],
      [2, () => this.#refuseTokens()],
      [0.5, () => this.#endSessions()],
      [2, () => this.#elsewhere()],
      [1.5, () => this.#submit(tab)],
      [1, () => this.#flush()],
    ]
    let at = random.next() * others.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, act] of others) {
      at -= weight
      if (at < 0) {
        await act()
        return
      }
    }
  }

  async #openTab(): Promise<void> {
    if (this.phone.tabs.length >= TABS_MAXIMUM) return
    this.#note('open a tab')
    const tab = this.phone.open()
    await this.clock.until(tab.open(), 5000)
    this.#openTest(tab)
  }

  async #signIn(userId: string, tab = this.phone.tabs[0]): Promise<void> {
    if (!tab || tab.page.status() !== 'guest') return
    this.#note(`${userId} signs in`)
    await this.clock.until(tab.page.signIn(this.api.credentials(userId)), 2000)
    this.#openTest(tab)
  }

  #openTest(tab: Tab): void {
    const userId = tab.page.userId()
    if (tab.isDead || userId === undefined || tab.page.status() === 'guest') return
    this.#note('open the test')
    this.#forgetUnnoticed(tab)
    tab.page.openTest(this.api.account(userId).instanceId)
  }

  /** Whoever leaves before the page knows that the disk has lost everything takes nothing along. */
  #forgetUnnoticed(tab: Tab): void {
    if (!this.#isUnnoticed && this.clock.now - this.#shakenAt > 2000) return
    for (const [name, given] of this.#given) if (given.tab === tab && given.wasEvicted && !this.#isSafe(given)) this.#given.delete(name)
  }

  #tap(tab: Tab): void {
    const questionnaire = tab.page.shown()
    if (!questionnaire || !canAnswer(questionnaire) || this.#leaving.has(tab)) return
    const { section, question } = this.random.pick(QUESTIONS)
    const group = questionnaire.answers.group(question)
    const value = this.#valueOf(question.id, group)
    const { userId } = questionnaire.key
    this.#note(`tap ${question.id} ${JSON.stringify(Object.values(value))}`)
    const name = `${userId} ${question.id}`
    this.#given.set(name, { userId, questionId: question.id, value, tab, ...this.#new(userId) })
    this.#values.set(name, [...(this.#values.get(name) ?? []), value])
    void questionnaire.answers.answer(question, section.name, value)
    if (this.#isUnnoticed) this.#shakenAt = this.clock.now
    this.#isUnnoticed = false
  }

  #new(userId: string) {
    return { isPromised: false, wasEvicted: false, logged: this.api.account(userId).server.log.length }
  }

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
    this.#forgetUnnoticed(tab)
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
    const rows = questionnaire.answers.unsent(trouble.edits)
    this.#note(`discard ${rows.map(({ questionId }) => questionId).join(' ')}`)
    void questionnaire.discardUnsent(trouble.edits, isEnded).then(
      () => {
        for (const row of rows) this.#forget(row)
        if (isEnded) for (const { question } of QUESTIONS) this.#emptied.add(`${questionnaire.key.userId} ${question.id}`)
      },
      () => undefined,
    )
    // may be gone from here on, must not be
    for (const { questionId } of rows) this.#emptied.add(`${questionnaire.key.userId} ${questionId}`)
  }

  /** Its owner discarded this value: it need not be anywhere. */
  #forget({ questionId, value }: { questionId: string; value: GroupValue }): void {
    for (const [name, given] of this.#given) if (given.questionId === questionId && sameValue(given.value, value)) this.#given.delete(name)
  }

  #retry(tab: Tab): void {
    const questionnaire = tab.page.shown()
    if (!questionnaire) return
    this.#note('try again')
    void questionnaire.retry().catch(() => undefined)
  }

  #settleLate(tab: Tab): void {
    const questionnaire = tab.page.shown()
    const [late] = questionnaire?.answers.snapshot().late ?? []
    if (!questionnaire || !late) return
    const isTaken = this.random.chance(0.5)
    this.#note(`${isTaken ? 'take' : 'drop'} the late answer to ${late.questionId}`)
    const { userId } = questionnaire.key
    const name = `${userId} ${late.questionId}`
    if (isTaken) this.#given.set(name, { ...late, userId, tab, ...this.#new(userId) })
    void questionnaire.settleLate(late.questionId, isTaken).catch(() => undefined)
  }

  #signOut(tab: Tab): void {
    const userId = tab.page.userId()
    if (userId === undefined || tab.page.status() === 'guest') return
    this.#note(`${userId} asks to sign out`)
    const wishes = [this.random.pick(['keep', 'send', 'discard', 'stay'] as const), this.random.pick(['keep', 'discard', 'stay'] as const)]
    this.#leaving.add(tab)
    const signedOut = tab.page.signOutAs(async (found) => {
      const wish = wishes.shift() ?? 'stay'
      this.#note(`dialog: ${found === 'unknown' ? found : JSON.stringify(numbersOf(found))}, ${wish}`)
      if (wish === 'discard') this.#discarding.add(userId)
      // the dialog says that these live in their page only
      if (wish === 'keep' && (found === 'unknown' || found.unwritten > 0)) this.#forgetUnwritten(userId)
      return wish
    })
    void signedOut.finally(() => {
      this.#leaving.delete(tab)
      if (this.#discarding.delete(userId)) this.#forgetUnsent(userId)
    })
  }
  /** tabs in which the dialog is open: nothing else can be tapped */
  readonly #leaving = new Set<Tab>()
  /** people who are signing out and discard what was not sent, in other tabs too */
  readonly #discarding = new Set<string>()

  #forgetUnsent(userId: string): void {
    for (const [name, given] of this.#given)
      if (given.userId === userId && !this.api.has(userId, given.questionId, given.value)) this.#given.delete(name)
    for (const { question } of QUESTIONS) this.#emptied.add(`${userId} ${question.id}`)
  }

  #forgetUnwritten(userId: string): void {
    for (const [name, given] of this.#given) if (given.userId === userId && !this.#isSafe(given)) this.#given.delete(name)
  }

  #killTab(tab: Tab): void {
    this.#note('kill a tab')
    tab.kill()
    this.#forgetWith(tab)
  }

  #killBrowser(): void {
    this.#note('kill the browser')
    const tabs = [...this.phone.tabs]
    this.phone.kill()
    for (const tab of tabs) this.#forgetWith(tab)
  }

  /** What was in this page only is lost with it: no screen had said otherwise. */
  #forgetWith(tab: Tab): void {
    for (const [name, given] of this.#given) {
      const isHeld = this.phone.tabs.some((other) => other === given.tab)
      if ((given.tab === tab || (given.wasEvicted && !isHeld)) && (!given.isPromised || given.wasEvicted) && !this.#isSafe(given))
        this.#given.delete(name)
    }
  }

  #fillDisk(isFull: boolean): void {
    this.#note(isFull ? 'the disk is full' : 'the disk is free')
    disk.isFull = isFull
    this.#shakenAt = this.clock.now
  }

  /** The disk has lost everything: what the server does not have is in an open page, or lost with nobody to blame. */
  #noteEvicted(): void {
    this.#shakenAt = this.clock.now
    for (const [name, given] of this.#given) {
      if (this.api.has(given.userId, given.questionId, given.value)) continue
      const holder = this.phone.tabs.find((tab) => holds(tab, given))
      if (!holder) this.#given.delete(name)
      else Object.assign(given, { tab: holder, wasEvicted: true })
    }
    for (const name of this.#values.keys()) this.#emptied.add(name)
  }

  #evict(): void {
    const hasEvents = this.random.chance(0.7)
    this.#note(`the browser drops the databases${hasEvents ? '' : ' and says nothing'}`)
    this.phone.evict(hasEvents)
    this.#noteEvicted()
    if (!hasEvents) this.#isUnnoticed = true
  }

  #removeDatabase(): void {
    this.#note('the database is deleted')
    this.phone.remove('touchline')
    this.#noteEvicted()
  }

  #clearSite(): void {
    this.#note('all site data is cleared')
    this.phone.evict(true)
    this.phone.clearLocal()
    this.#noteEvicted()
    // who clears everything is signed out, and the pages close
    for (const [name, given] of this.#given) if (given.wasEvicted) this.#given.delete(name)
  }

  #network(): void {
    const isOnline = !this.phone.isOnline
    this.#note(isOnline ? 'the line is back' : 'the line is cut')
    this.phone.setOnline(isOnline)
  }

  #trouble(): void {
    const where = this.random.pick(['user/auth', 'auth', 'assessment/assessment-instance/responses', 'assessment', ''])
    const isOver = this.weather.troubles.size > 0 && this.random.chance(0.5)
    const trouble = this.random.pick([...TROUBLES, 'slow', 'slow', 'slow'] as const)
    this.#note(isOver ? 'calls succeed again' : `calls to /${where}: ${trouble}`)
    if (isOver) this.weather.troubles.clear()
    else this.weather.troubles.set(where, trouble)
  }

  #refuse(): void {
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
  }

  async #elsewhere(): Promise<void> {
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
  }

  // What must be true

  /** On the disk, or with the server. */
  #isSafe({ userId, questionId, value }: Pick<Given, 'userId' | 'questionId' | 'value'>): boolean {
    const isIt = (row: { userId: string; questionId: string; value: GroupValue }) =>
      row.userId === userId && row.questionId === questionId && sameValue(row.value, value)
    return this.api.has(userId, questionId, value) || this.phone.rows('answers').some(isIt) || this.phone.rows('late').some(isIt)
  }

  #compare(): void {
    if (this.api.foreign.length > 0) this.fail(this.api.foreign.join())
    const isShaken = this.#isUnnoticed || this.clock.now - this.#shakenAt < GRACE_MS
    for (const tab of this.phone.tabs) {
      if (this.clock.now - this.#steppedAt < QUIET_MS) break
      this.#compareTest(tab, isShaken)
      this.#compareCard(tab, isShaken)
    }
    for (const given of this.#given.values())
      if (!this.#discarding.has(given.userId) && given.isPromised && !given.wasEvicted && !this.#isSafe(given))
        this.fail(`${given.userId}'s answer to ${given.questionId}, ${JSON.stringify(given.value)}, was said to be saved and is nowhere`)
  }

  #compareTest(tab: Tab, isShaken: boolean): void {
    const questionnaire = tab.page.shown()
    const words = tab.page.wordsOfTest()
    if (!questionnaire || words === '' || this.#discarding.has(questionnaire.key.userId)) return
    const { userId } = questionnaire.key
    const { answers, unsent } = questionnaire.answers.snapshot()
    for (const [questionId, value] of Object.entries(answers)) {
      const name = `${userId} ${questionId}`
      const isEmpty = Object.values(value).every((one) => one === null)
      const isGiven = this.#values.get(name)?.some((one) => sameValue(one, value))
      if (!isGiven && !isEmpty && !this.api.has(userId, questionId, value)) this.fail(`${name} shows a value nobody gave`)
    }
    this.#compareShown(tab, questionnaire, words)
    if (isShaken) return
    const isOnDevice = words.startsWith(tab.page.startOf('assessment:TestSavedOnDevice'))
    const isInAccount = words.startsWith(tab.page.startOf('assessment:TestSavedToAccount'))
    if (!isOnDevice && !isInAccount) return
    let missing = 0
    for (const [questionId, value] of Object.entries(answers)) {
      const isWithServer = this.api.has(userId, questionId, value) || isBlank(value)
      if (!isWithServer) missing += 1
      if (!isWithServer && isInAccount) this.fail(`“${words}”, but the account does not have ${questionId} ${JSON.stringify(value)}`)
      if (!this.#isSafe({ userId, questionId, value }) && !isBlank(value)) this.fail(`“${words}”, but ${questionId} is not on the disk`)
      const given = this.#given.get(`${userId} ${questionId}`)
      if (given && sameValue(given.value, value)) given.isPromised = true
    }
    if (missing > unsent) this.fail(`“${words}”, but ${missing} groups are not in the account`)
  }

  /** A group that has an answer of this device, or of the account, is not shown empty unless its owner emptied it. */
  #compareShown(tab: Tab, questionnaire: Questionnaire, words: string): void {
    const { userId } = questionnaire.key
    const { answers } = questionnaire.answers.snapshot()
    for (const { question } of QUESTIONS) {
      const name = `${userId} ${question.id}`
      const given = this.#given.get(name)
      if (given?.tab !== tab || !given.isPromised || this.#emptied.has(name) || isBlank(given.value)) continue
      const value = answers[question.id]
      const state = questionnaire.get()
      const isEnded = state.state === 'ready' && state.ready.instance.summary.status === 'COMPLETED'
      if (!isEnded && (!value || isBlank(value)) && !this.#wasCleared(userId, question.id))
        this.fail(`“${words}”, but the answer to ${name} is no longer shown`)
    }
  }

  /** Somewhere else its owner cleared it. */
  #wasCleared(userId: string, questionId: string): boolean {
    const held = this.api.account(userId).server.groups.get(questionId)
    return held !== undefined && isBlank(held.value)
  }

  #compareCard(tab: Tab, isShaken: boolean): void {
    const card = tab.page.cards()
    if (!card || isShaken || this.#discarding.has(card.userId)) return
    const { instanceId } = this.api.account(card.userId)
    const words = tab.page.wordsOfCard(instanceId)
    const isInAccount = words.startsWith(tab.page.startOf('player:SavedToAccount'))
    const isOnDevice = words.startsWith(tab.page.startOf('player:SavedOnDevice'))
    if (!isInAccount && !isOnDevice) return
    for (const given of this.#given.values()) {
      if (given.userId !== card.userId) continue
      // in another tab it may still be on its way to the disk
      if (isInAccount && !given.wasEvicted && !this.api.has(given.userId, given.questionId, given.value) && !this.#isLate(given))
        this.fail(`the card says “${words}”, but the account does not have ${given.questionId} ${JSON.stringify(given.value)}`)
      if (isOnDevice && !given.wasEvicted && !this.#isSafe(given))
        this.fail(`the card says “${words}”, but ${given.questionId} is not on the disk`)
    }
  }

  #isLate({ userId, questionId, value }: Given): boolean {
    return this.phone.rows('late').some((row) => row.userId === userId && row.questionId === questionId && sameValue(row.value, value))
  }

  // How it ends

  async #settle(): Promise<void> {
    this.#note('all trouble ends')
    this.weather.troubles.clear()
    this.api.refused.clear()
    disk.isFull = false
    this.#shakenAt = this.clock.now
    if (this.#isUnnoticed) for (const [name, given] of this.#given) if (given.wasEvicted) this.#given.delete(name)
    if (!this.phone.isOnline) this.phone.setOnline(true)
    // what is open sends by itself, without being opened again
    await this.clock.advance(10 * 60_000)
    this.#compare()
    for (const given of this.#given.values()) {
      const { tab, userId } = given
      const isOpen = !tab.isDead && tab.page.status() === 'verified' && tab.page.userId() === userId && tab.page.shown()
      if (isOpen && !this.#isParked(tab) && !this.api.has(userId, given.questionId, given.value) && !this.#isLate(given))
        this.fail(`${userId}'s answer to ${given.questionId} is in an open page, and was not sent in ten minutes without trouble`)
    }
    this.#compareCalls()
    // each signs in once more, and presses whatever is offered
    for (const userId of PEOPLE) {
      for (const tab of [...this.phone.tabs]) tab.kill()
      this.phone.local.clear()
      this.phone.remove('touchline-session')
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
      for (const given of this.#given.values()) {
        if (given.userId !== userId || this.api.has(userId, given.questionId, given.value) || this.#isLate(given)) continue
        const isCompleted = this.api.account(userId).server.status === 'COMPLETED'
        if (isCompleted && this.#isSafe(given)) continue
        this.fail(`${userId}'s answer to ${given.questionId}, ${JSON.stringify(given.value)}, never reached the account`)
      }
      this.#compareLast(userId)
    }
  }

  /** Once the account has this phone's last answer to a question, no earlier one of the phone replaces it. ANSWERS-30 */
  #compareLast(userId: string): void {
    const { server } = this.api.account(userId)
    for (const given of this.#given.values()) {
      const held = server.groups.get(given.questionId)
      if (given.userId !== userId || !held || held.device === ELSEWHERE || sameValue(held.value, given.value) || this.#isLate(given))
        continue
      const isIt = (one: { questionId: string; value: GroupValue }) =>
        one.questionId === given.questionId && sameValue(one.value, given.value)
      if (!server.log.slice(given.logged).some((entry) => entry.accepted && isIt(entry))) continue
      const value = JSON.stringify(given.value)
      this.fail(`${userId}'s last answer to ${given.questionId} is ${value}, but the account went back to ${JSON.stringify(held.value)}`)
    }
  }

  #isParked(tab: Tab): boolean {
    const state = tab.page.shown()?.get()
    return state?.state === 'ready' && state.ready.instance.trouble !== null
  }

  /** No loop exceeds one try in its back-off: a minute in which nobody did anything, and nothing changed, has few calls. */
  #compareCalls(): void {
    for (const { calls, stimuli } of this.phone.opened) calmMinutes(calls, stimuli, (what) => this.fail(what))
  }
}

/** Calls of one kind that may follow each other in a minute. */
const CALLS_MAXIMUM = 12
const CALLS_PER_STIMULUS = 4

function calmMinutes(calls: Tab['calls'], stimuli: readonly number[], fail: (what: string) => void): void {
  const kinds = Map.groupBy(calls, ({ path }) => path.split('?')[0] ?? path)
  for (const [path, all] of kinds) {
    let first = 0
    for (const [at, call] of all.entries()) {
      while ((all[first]?.at ?? 0) < call.at - 60_000) first += 1
      const count = at - first + 1
      if (count <= CALLS_MAXIMUM) continue
      const causes = stimuli.filter((one) => one >= call.at - 90_000 && one <= call.at).length
      if (count > CALLS_MAXIMUM + CALLS_PER_STIMULUS * causes) fail(`${count} calls of ${path} in a minute, with ${causes} causes`)
    }
  }
}

const isBlank = (value: GroupValue) => Object.values(value).every((one) => one === null)

function numbersOf({ answers, unwritten, late, submits }: Waiting) {
  return { answers, unwritten, late, submits }
}

/** Whether a page shows this answer, so that it could write it again. */
function holds(tab: Tab, { userId, questionId, value }: Given): boolean {
  const questionnaire = tab.page.shown()
  if (questionnaire?.key.userId !== userId) return false
  const shown = questionnaire.answers.snapshot().answers[questionId]
  return shown !== undefined && sameValue(shown, value)
}

/** As the test screen: neither ended nor submitted. */
function canAnswer(questionnaire: Questionnaire): boolean {
  const state = questionnaire.get()
  if (state.state !== 'ready') return false
  const { summary, finish } = state.ready.instance
  return (summary.status === 'OWNED' || summary.status === 'IN_PROGRESS') && (finish === null || finish === 'details')
}
