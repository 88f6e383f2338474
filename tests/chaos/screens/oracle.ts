import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { sameValue } from '#contract/rules/merge.ts'
import type { GroupValue } from '#contract/rules/questionnaire.ts'
import { QUESTIONS } from '../questionnaire.ts'
import { ELSEWHERE, type Api } from './api.ts'
import type { Clock } from './clock.ts'
import type { Phone } from './phone.ts'
import type { Tab } from './tab.ts'

/** Compares the answers that people gave, and what the screens said of them, with the disk, the account and the screens. */

/** A screen may be wrong this long after the disk lost or refused something; ms. */
const GRACE_MS = 12_000
/** Nothing is compared this long after a step, while its effects are still in progress; ms. */
const QUIET_MS = 600

/** An answer that somebody gave on this phone, and that they have not changed since. */
interface GivenAnswer {
  userId: string
  questionId: string
  value: GroupValue
  /** undefined for a late answer that was restored */
  order: number | undefined
  /** where it was given: while it is not on the disk, closing the tab loses it */
  tab: Tab
  /** and in which questionnaire: it shows the answer until it is left, or the answer is stored */
  questionnaire: Questionnaire | undefined
  /** a screen said that it is saved */
  wasSaidSaved: boolean
  /** the disk lost it after that, so only an open page may have it */
  wasEvicted: boolean
  /** entries in the account's log when it was given */
  logged: number
}

interface OraclePorts {
  api: Api
  phone: Phone
  clock: Clock
  fail: (what: string) => never
}

export class Oracle {
  /** by person and question */
  readonly #given = new Map<string, GivenAnswer>()
  /** every value that a question had on this phone, by the same */
  readonly #values = new Map<string, GroupValue[]>()
  /** questions whose answer its owner discarded, or may have: they may be shown empty */
  readonly #emptied = new Set<string>()
  readonly #api: Api
  readonly #phone: Phone
  readonly #clock: Clock
  readonly #fail: (what: string) => never
  /** when the disk last lost or refused something, epoch ms */
  #diskChangedAt = Number.NEGATIVE_INFINITY
  /** of the last step, epoch ms */
  steppedAt = 0
  /** the databases were evicted without an event: no page can notice before it writes again */
  #isEvictionUnnoticed = false
  /** the phone lost the id of its saves, so that it is another device from then on */
  #isIdLost = false
  /** people who are signing out and discard what was not sent, in other tabs too; by the tab of the dialog */
  readonly #discarding = new Map<Tab, string>()

  constructor({ api, phone, clock, fail }: OraclePorts) {
    this.#api = api
    this.#phone = phone
    this.#clock = clock
    this.#fail = fail
  }

  // What happened

  /** Somebody gave an answer in this tab, by a tap or by restoring a late one. */
  recordAnswer(answer: Pick<GivenAnswer, 'userId' | 'questionId' | 'value' | 'order' | 'tab'>): void {
    const { userId, questionId, value, tab } = answer
    const name = `${userId} ${questionId}`
    const logged = this.#api.account(userId).server.log.length
    this.#given.set(name, { ...answer, questionnaire: tab.page.shown(), wasSaidSaved: false, wasEvicted: false, logged })
    this.#values.set(name, [...(this.#values.get(name) ?? []), value])
  }

  /** The disk stored, lost or refused something. */
  noteDiskChange(): void {
    this.#diskChangedAt = this.#clock.now
  }

  /** The databases were evicted without an event. */
  noteSilentEviction(): void {
    this.#isEvictionUnnoticed = true
  }

  /** A page writes, so it notices whether the databases are there. */
  noteWrite(): void {
    if (this.#isEvictionUnnoticed) this.noteDiskChange()
    this.#isEvictionUnnoticed = false
  }

  /** From here on these questions may be shown empty. */
  allowEmpty(userId: string, questionIds: readonly string[]): void {
    for (const id of questionIds) this.#emptied.add(`${userId} ${id}`)
  }

  /** What only an open page had is lost with the pages: no screen had promised that it is saved. */
  forgetEvicted(): void {
    for (const [name, given] of this.#given) if (given.wasEvicted) this.#given.delete(name)
  }

  /** The disk lost it as its owner signed out, so only a page had it, which somebody else uses since, or its owner once more: it is lost. */
  forgetLeftBehind(): void {
    for (const [name, given] of this.#given)
      if (given.wasEvicted && !showsAnswer(given.tab, given) && !this.#isSafe(given)) this.#given.delete(name)
  }

  noteIdLost(): void {
    this.#isIdLost = true
  }

  /** No page that is still open has noticed the eviction. */
  forgetIfUnnoticed(): void {
    if (this.#isEvictionUnnoticed) this.forgetEvicted()
  }

  /** Leaving a screen before its page notices that the disk lost everything loses its answers. */
  forgetUnnoticed(tab: Tab): void {
    if (!this.#isEvictionUnnoticed && this.#clock.now - this.#diskChangedAt > 2000) return
    for (const [name, given] of this.#given) if (given.tab === tab && given.wasEvicted && !this.#isSafe(given)) this.#given.delete(name)
  }

  /** Its owner discarded this value: it need not be anywhere. */
  forget({ questionId, value }: { questionId: string; value: GroupValue }): void {
    for (const [name, given] of this.#given) if (given.questionId === questionId && sameValue(given.value, value)) this.#given.delete(name)
  }

  noteDiscarding(tab: Tab, userId: string): void {
    this.#discarding.set(tab, userId)
  }

  #isDiscarding(userId: string): boolean {
    return [...this.#discarding.values()].includes(userId)
  }

  /** The tab has discarded what was unsent, or was killed while it did. */
  endDiscarding(tab: Tab): void {
    const userId = this.#discarding.get(tab)
    this.#discarding.delete(tab)
    if (userId !== undefined) this.#forgetUnsent(userId)
  }

  #forgetUnsent(userId: string): void {
    for (const [name, given] of this.#given)
      if (given.userId === userId && !this.#api.has(userId, given.questionId, given.value)) this.#given.delete(name)
    for (const { question } of QUESTIONS) this.#emptied.add(`${userId} ${question.id}`)
  }

  forgetUnwritten(userId: string): void {
    for (const [name, given] of this.#given) if (given.userId === userId && !this.#isSafe(given)) this.#given.delete(name)
  }

  /** What was in this page only is lost with it: no screen had promised that it is saved. */
  forgetWith(tab: Tab): void {
    // what is being written may not be committed any more
    const isWriting = this.#phone.isWriting()
    for (const [name, given] of this.#given) {
      const isTabOpen = this.#phone.tabs.some((other) => other === given.tab)
      if (
        (given.tab === tab || (given.wasEvicted && !isTabOpen)) &&
        (!given.wasSaidSaved || given.wasEvicted) &&
        (isWriting || !this.#isSafe(given))
      )
        this.#given.delete(name)
    }
  }

  /** The disk lost everything: what the server does not have is in an open page, or lost, which is no fault of the portal. */
  noteEvicted(): void {
    this.#diskChangedAt = this.#clock.now
    for (const [name, given] of this.#given) {
      if (this.#api.has(given.userId, given.questionId, given.value)) continue
      const showingTab = this.#phone.tabs.find((tab) => showsAnswer(tab, given))
      if (!showingTab) this.#given.delete(name)
      else Object.assign(given, { tab: showingTab, wasEvicted: true })
    }
    for (const name of this.#values.keys()) this.#emptied.add(name)
  }

  /** On the disk, or with the server. */
  #isSafe({ userId, questionId, value }: Pick<GivenAnswer, 'userId' | 'questionId' | 'value'>): boolean {
    const isSame = (row: { userId: string; questionId: string; value: GroupValue }) =>
      row.userId === userId && row.questionId === questionId && sameValue(row.value, value)
    return this.#api.has(userId, questionId, value) || this.#phone.rows('answers').some(isSame) || this.#phone.rows('late').some(isSame)
  }

  check(): void {
    if (this.#api.foreign.length > 0) this.#fail(this.#api.foreign.join())
    const isInGrace = this.#isEvictionUnnoticed || this.#clock.now - this.#diskChangedAt < GRACE_MS
    for (const tab of this.#phone.tabs) {
      if (this.#clock.now - this.steppedAt < QUIET_MS) break
      this.#checkTest(tab, isInGrace)
      this.#checkCard(tab, isInGrace)
    }
    // checked again after the next step
    if (this.#phone.isWriting()) return
    for (const given of this.#given.values()) this.#checkGiven(given)
    for (const { userId, questionId } of this.#phone.rows('late'))
      if (!this.#isIdLost && !this.#api.answeredElsewhere.has(`${userId} ${questionId}`))
        this.#fail(`${userId}'s answer to ${questionId} is called late, but nobody answered it on another device`)
  }

  #checkGiven(given: GivenAnswer): void {
    const { userId, questionId, value, tab, questionnaire } = given
    if (this.#isDiscarding(userId) || this.#isSafe(given)) return
    const what = `${userId}'s answer to ${questionId}, ${JSON.stringify(value)},`
    if (given.wasSaidSaved && !given.wasEvicted) this.#fail(`${what} was said to be saved and is nowhere`)
    if (!questionnaire || tab.isDead || tab.page.shown() !== questionnaire) return
    // a snapshot is published after the next frame
    const isShown = questionnaire.answers.rows().answers.some((row) => row.questionId === questionId && sameValue(row.value, value))
    if (!isShown) this.#fail(`${what} is not stored, and no longer shown where it was given`)
  }

  #checkTest(tab: Tab, isInGrace: boolean): void {
    const questionnaire = tab.page.shown()
    const words = tab.page.saveStatusText()
    if (!questionnaire || words === '' || this.#isDiscarding(questionnaire.key.userId)) return
    const { userId } = questionnaire.key
    const { answers, unsent } = questionnaire.answers.snapshot()
    for (const [questionId, value] of Object.entries(answers)) {
      const name = `${userId} ${questionId}`
      const isEmpty = Object.values(value).every((one) => one === null)
      const isGiven = this.#values.get(name)?.some((one) => sameValue(one, value))
      if (!isGiven && !isEmpty && !this.#api.has(userId, questionId, value)) this.#fail(`${name} shows a value nobody gave`)
    }
    this.#checkShownAnswers(tab, questionnaire, words)
    if (isInGrace) return
    const isOnDevice = words.startsWith(tab.page.startOfText('assessment:TestSavedOnDevice'))
    const isInAccount = words.startsWith(tab.page.startOfText('assessment:TestSavedToAccount'))
    if (!isOnDevice && !isInAccount) return
    let missing = 0
    for (const [questionId, value] of Object.entries(answers)) {
      const isWithServer = this.#api.has(userId, questionId, value) || isBlank(value)
      if (!isWithServer) missing += 1
      if (!isWithServer && isInAccount) this.#fail(`“${words}”, but the account does not have ${questionId} ${JSON.stringify(value)}`)
      if (!this.#isSafe({ userId, questionId, value }) && !isBlank(value)) this.#fail(`“${words}”, but ${questionId} is not on the disk`)
      const given = this.#given.get(`${userId} ${questionId}`)
      if (given && sameValue(given.value, value)) given.wasSaidSaved = true
    }
    if (missing > unsent) this.#fail(`“${words}”, but ${missing} groups are not in the account`)
  }

  /** A group that has an answer of this device, or of the account, is not shown empty unless its owner emptied it. */
  #checkShownAnswers(tab: Tab, questionnaire: Questionnaire, words: string): void {
    const { userId } = questionnaire.key
    const { answers } = questionnaire.answers.snapshot()
    for (const { question } of QUESTIONS) {
      const name = `${userId} ${question.id}`
      const given = this.#given.get(name)
      if (given?.tab !== tab || !given.wasSaidSaved || this.#emptied.has(name) || isBlank(given.value)) continue
      const value = answers[question.id]
      const state = questionnaire.get()
      const isEnded = state.state === 'ready' && state.ready.instance.summary.status === 'COMPLETED'
      if (!isEnded && (!value || isBlank(value)) && !this.#wasCleared(userId, question.id))
        this.#fail(`“${words}”, but the answer to ${name} is no longer shown`)
    }
  }

  /** Its owner cleared it on another device. */
  #wasCleared(userId: string, questionId: string): boolean {
    const held = this.#api.account(userId).server.groups.get(questionId)
    return held !== undefined && isBlank(held.value)
  }

  #checkCard(tab: Tab, isInGrace: boolean): void {
    const card = tab.page.dashboard()
    if (!card || isInGrace || this.#isDiscarding(card.userId)) return
    const { instanceId } = this.#api.account(card.userId)
    const words = tab.page.cardText(instanceId)
    const isInAccount = words.startsWith(tab.page.startOfText('player:SavedToAccount'))
    const isOnDevice = words.startsWith(tab.page.startOfText('player:SavedOnDevice'))
    if (!isInAccount && !isOnDevice) return
    for (const given of this.#given.values()) {
      if (given.userId !== card.userId) continue
      // another tab may still be writing it
      if (isInAccount && !given.wasEvicted && !this.#api.has(given.userId, given.questionId, given.value) && !this.#isLate(given))
        this.#fail(`the card says “${words}”, but the account does not have ${given.questionId} ${JSON.stringify(given.value)}`)
      if (isOnDevice && !given.wasEvicted && !this.#isSafe(given))
        this.#fail(`the card says “${words}”, but ${given.questionId} is not on the disk`)
    }
  }

  #isLate({ userId, questionId, value }: GivenAnswer): boolean {
    return this.#phone.rows('late').some((row) => row.userId === userId && row.questionId === questionId && sameValue(row.value, value))
  }

  /** Once the account has this phone's last answer to a question, no earlier one of the phone replaces it. ANSWERS-30 */
  checkLastAnswers(userId: string): void {
    const { server } = this.#api.account(userId)
    for (const given of this.#given.values()) {
      const held = server.groups.get(given.questionId)
      if (given.userId !== userId || !held || held.device === ELSEWHERE || sameValue(held.value, given.value) || this.#isLate(given))
        continue
      // an earlier answer of the same value has another order
      const isSame = (one: { questionId: string; value: GroupValue; order?: number | null | undefined }) =>
        one.questionId === given.questionId && sameValue(one.value, given.value) && (given.order ?? one.order) === one.order
      if (!server.log.slice(given.logged).some((entry) => entry.accepted && isSame(entry))) continue
      const value = JSON.stringify(given.value)
      this.#fail(`${userId}'s last answer to ${given.questionId} is ${value}, but the account went back to ${JSON.stringify(held.value)}`)
    }
  }

  #isParked(tab: Tab): boolean {
    const state = tab.page.shown()?.get()
    return state?.state === 'ready' && state.ready.instance.trouble !== null
  }

  /** After ten minutes without faults, open pages have sent everything. */
  checkOpenPages(): void {
    for (const given of this.#given.values()) {
      const { tab, userId } = given
      const isOpen = !tab.isDead && tab.page.status() === 'verified' && tab.page.userId() === userId && tab.page.shown()
      if (isOpen && !this.#isParked(tab) && !this.#api.has(userId, given.questionId, given.value) && !this.#isLate(given))
        this.#fail(`${userId}'s answer to ${given.questionId} is in an open page, and was not sent in ten minutes without trouble`)
    }
  }

  /** After its owner signed in once more, everything is in the account, or waits for a choice. */
  checkArrived(userId: string): void {
    for (const given of this.#given.values()) {
      if (given.userId !== userId || this.#api.has(userId, given.questionId, given.value) || this.#isLate(given)) continue
      const isCompleted = this.#api.account(userId).server.status === 'COMPLETED'
      if (isCompleted && this.#isSafe(given)) continue
      this.#fail(`${userId}'s answer to ${given.questionId}, ${JSON.stringify(given.value)}, never reached the account`)
    }
    this.checkLastAnswers(userId)
  }
}

const isBlank = (value: GroupValue) => Object.values(value).every((one) => one === null)

/** Whether a page shows this answer, so that it could write it again. */
function showsAnswer(tab: Tab, { userId, questionId, value }: GivenAnswer): boolean {
  const questionnaire = tab.page.shown()
  if (questionnaire?.key.userId !== userId) return false
  const shown = questionnaire.answers.snapshot().answers[questionId]
  return shown !== undefined && sameValue(shown, value)
}
