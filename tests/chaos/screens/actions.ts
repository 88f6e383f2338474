import { isAnswered, itemIdsOf, rate, RATINGS, sectionTypeOf, type GroupValue } from '#contract/rules/questionnaire.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import type { WaitingCounts } from '#app/session/private-store.ts'
import { QUESTIONS } from '../questionnaire.ts'
import type { History } from './history.ts'
import type { Tab } from './tab.ts'

export const PEOPLE = ['ana', 'ben'] as const
const EVERY_QUESTION = QUESTIONS.map(({ question }) => question.id)
const TABS_MAXIMUM = 3

/** What the people of a history do in the tabs of their phone, as its screens would let them, and on another device. */
export class Actions {
  readonly #history: History
  #lastTap: { tab: Tab | undefined; order: number } = { tab: undefined, order: 0 }
  /** tabs in which the dialog is open: nothing else can be tapped */
  readonly #tabsInDialog = new Set<Tab>()

  constructor(history: History) {
    this.#history = history
  }

  async openTab(): Promise<void> {
    if (this.#history.phone.tabs.length >= TABS_MAXIMUM) return
    this.#history.note('open a tab')
    const tab = this.#history.phone.open()
    this.#history.signIns.noteStart()
    await this.#history.clock.until(tab.open(), 5000)
    this.openTest(tab)
  }

  async signIn(userId: string, tab = this.#history.phone.tabs[0]): Promise<void> {
    if (!tab || tab.page.status() !== 'guest') return
    this.#history.note(`${userId} signs in`)
    const signedIn = tab.page.signIn(this.#history.api.credentials(userId))
    void this.#history.signIns.signIn(userId, signedIn)
    await this.#history.clock.until(signedIn, 2000)
    this.openTest(tab)
  }

  openTest(tab: Tab): void {
    const userId = tab.page.userId()
    if (tab.isDead || userId === undefined || tab.page.status() === 'guest') return
    this.#history.note('open the test')
    this.#history.oracle.forgetUnnoticed(tab)
    tab.page.openTest(this.#history.api.account(userId).instanceId)
  }

  async tap(tab: Tab): Promise<void> {
    const last = this.#lastTap
    // nobody taps in two tabs within one millisecond, which is the unit that orders two edits (decision 0050), or in one more often
    const early = last.order + 1 - Math.floor(this.#history.clock.now)
    if (last.tab !== tab && early > 0) await this.#history.clock.advance(early)
    const questionnaire = tab.page.shown()
    if (!questionnaire || !canAnswer(questionnaire) || this.#tabsInDialog.has(tab)) return
    const { section, question } = this.#history.random.pick(QUESTIONS)
    const group = questionnaire.answers.group(question)
    const value = this.#valueOf(question.id, group)
    const { userId } = questionnaire.key
    this.#history.note(`tap ${question.id} ${JSON.stringify(Object.values(value))}`)
    void questionnaire.answers.answer(question, section.name, value)
    const order = questionnaire.answers.ownRow(question)?.order ?? 0
    this.#lastTap = { tab, order }
    this.#history.oracle.recordAnswer({ userId, questionId: question.id, value, order, tab })
    this.#history.oracle.noteWrite()
  }

  /** What a tap makes of a group, by the screen's rules. */
  #valueOf(questionId: string, group?: GroupValue): GroupValue {
    const { random } = this.#history
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

  leave(tab: Tab): void {
    if (!tab.page.shown()) return
    this.#history.oracle.forgetUnnoticed(tab)
    if (this.#history.random.chance(0.5)) {
      this.#history.note('leave by a link')
      tab.page.openHome()
    } else {
      this.#history.note('save and exit')
      void tab.page.saveAndExit()
    }
  }

  discard(tab: Tab): void {
    const questionnaire = tab.page.shown()
    const state = questionnaire?.get()
    if (!questionnaire || state?.state !== 'ready') return
    const { trouble, summary } = state.ready.instance
    if (!trouble) return
    const isEnded = summary.status === 'COMPLETED' || summary.status === 'RECLAIMED'
    if (!isEnded && !tab.page.isReachable()) return
    const { userId } = questionnaire.key
    const rows = questionnaire.answers.unsent(trouble.edits)
    this.#history.note(`discard ${rows.map(({ questionId }) => questionId).join(' ')}`)
    void questionnaire.discardUnsent(trouble.edits, isEnded).then(
      () => {
        for (const row of rows) this.#history.oracle.forget(row)
        if (isEnded) this.#history.oracle.allowEmpty(userId, EVERY_QUESTION)
      },
      () => undefined,
    )
    // from here on they may be empty
    this.#history.oracle.allowEmpty(
      userId,
      rows.map(({ questionId }) => questionId),
    )
  }

  retry(tab: Tab): void {
    const questionnaire = tab.page.shown()
    if (!questionnaire) return
    this.#history.note('try again')
    void questionnaire.retry().catch(() => undefined)
  }

  resolveLate(tab: Tab): void {
    const questionnaire = tab.page.shown()
    const [late] = questionnaire?.answers.snapshot().late ?? []
    if (!questionnaire || !late) return
    const isRestored = this.#history.random.chance(0.5)
    this.#history.note(`${isRestored ? 'take' : 'drop'} the late answer to ${late.questionId}`)
    const { userId } = questionnaire.key
    if (isRestored) this.#history.oracle.recordAnswer({ ...late, order: undefined, userId, tab })
    void questionnaire.resolveLate(late.questionId, isRestored).catch(() => undefined)
  }

  signOut(tab: Tab): void {
    const userId = tab.page.userId()
    if (userId === undefined || tab.page.status() === 'guest' || this.#tabsInDialog.has(tab)) return
    this.#history.note(`${userId} asks to sign out`)
    const choices = [
      this.#history.random.pick(['keep', 'send', 'discard', 'stay'] as const),
      this.#history.random.pick(['keep', 'discard', 'stay'] as const),
    ]
    this.#tabsInDialog.add(tab)
    const signedOut = tab.page.signOutAs(
      async (found) => {
        const choice = choices.shift() ?? 'stay'
        this.#history.note(`dialog: ${found === 'unknown' ? found : JSON.stringify(countsOf(found))}, ${choice}`)
        if (choice === 'discard') this.#history.oracle.noteDiscarding(tab, userId)
        // the dialog says that these exist in their page only, or that the device lost what was stored
        if (choice === 'keep' && (found === 'unknown' || found.unwritten > 0 || found.isDeleted))
          this.#history.oracle.forgetUnwritten(userId)
        return choice
      },
      () => this.#history.signIns.leave(tab, userId),
    )
    void signedOut.finally(() => {
      this.#tabsInDialog.delete(tab)
      this.#history.oracle.endDiscarding(tab)
      this.#history.signIns.endLeaving(tab)
    })
  }

  async answerElsewhere(): Promise<void> {
    const userId = this.#history.random.pick(PEOPLE)
    this.#history.note(`${userId} answers on another device`)
    await this.#history.clock.until(
      this.#history.api.answerElsewhere(userId, (questionId) => this.#valueOf(questionId)),
      1000,
    )
  }

  submit(tab: Tab): void {
    const questionnaire = tab.page.shown()
    if (!questionnaire || !canAnswer(questionnaire)) return
    const { answers } = questionnaire.answers.snapshot()
    if (!QUESTIONS.every(({ question }) => itemIdsOf(question).every((id) => isAnswered(answers[question.id]?.[id])))) return
    this.#history.note('submit')
    void questionnaire.submit().catch(() => undefined)
  }
}

function countsOf({ answers, unwritten, late, submits }: WaitingCounts) {
  return { answers, unwritten, late, submits }
}

/** As the test screen: neither ended nor submitted. */
function canAnswer(questionnaire: Questionnaire): boolean {
  const state = questionnaire.get()
  if (state.state !== 'ready') return false
  const { summary, finish } = state.ready.instance
  return (summary.status === 'OWNED' || summary.status === 'IN_PROGRESS') && (finish === null || finish === 'details')
}
