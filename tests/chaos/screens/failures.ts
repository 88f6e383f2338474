import { ANSWERS_DEVICE_KEY } from '#app/session/known-devices.ts'
import { QUESTIONS } from '../questionnaire.ts'
import { PEOPLE } from './actions.ts'
import { disk } from './disk.ts'
import type { History } from './history.ts'
import { FAULTS } from './network.ts'
import type { Tab } from './tab.ts'

/** What fails in a history: the browser and its disk, the line, the server and the sessions. */
export class Failures {
  readonly #history: History

  constructor(history: History) {
    this.#history = history
  }

  killTab(tab: Tab): void {
    this.#history.note('kill a tab')
    tab.kill()
    this.#history.signIns.endLeaving(tab)
    this.#history.oracle.endDiscarding(tab)
    this.#history.oracle.forgetWith(tab)
  }

  killBrowser(): void {
    this.#history.note('kill the browser')
    const tabs = [...this.#history.phone.tabs]
    const id = this.#history.phone.local.get(ANSWERS_DEVICE_KEY)
    this.#history.phone.kill()
    this.#history.signIns.noteKilled()
    // local storage had not reached the disk, and the database had no room for it
    if (this.#history.phone.local.get(ANSWERS_DEVICE_KEY) !== id && !this.#history.phone.hasIdOnDisk()) this.#history.oracle.noteIdLost()
    for (const tab of tabs) {
      this.#history.oracle.endDiscarding(tab)
      this.#history.oracle.forgetWith(tab)
    }
  }

  fillDisk(isFull: boolean): void {
    this.#history.note(isFull ? 'the disk is full' : 'the disk is free')
    disk.isFull = isFull
    this.#history.oracle.noteDiskChange()
  }

  nearlyFillDisk(isNearlyFull: boolean): void {
    this.#history.note(isNearlyFull ? 'the disk has no room for questions' : 'the disk has room for questions')
    disk.isNearlyFull = isNearlyFull
    this.#history.oracle.noteDiskChange()
  }

  hangCopy(isHung: boolean): void {
    this.#history.note(`the database of the sign-in ${isHung ? 'hangs' : 'responds'}`)
    this.#history.phone.isCopyHung = isHung
  }

  evict(): void {
    const hasEvents = this.#history.random.chance(0.7)
    this.#history.note(`the browser drops the databases${hasEvents ? '' : ' and says nothing'}`)
    this.#history.phone.evict(hasEvents)
    this.#history.signIns.noteCopyLost()
    this.#noteIdLost()
    this.#history.oracle.noteEvicted()
    if (!hasEvents) this.#history.oracle.noteSilentEviction()
  }

  removeDatabase(): void {
    this.#history.note('the database is deleted')
    this.#history.phone.deleteDatabase('touchline')
    this.#noteIdLost()
    this.#history.oracle.noteEvicted()
  }

  /** With the database, if local storage has no copy since the browser was killed. */
  #noteIdLost(): void {
    if (!this.#history.phone.local.has(ANSWERS_DEVICE_KEY)) this.#history.oracle.noteIdLost()
  }

  clearSite(): void {
    this.#history.note('all site data is cleared')
    this.#history.phone.evict(true)
    this.#history.phone.clearLocal()
    this.#history.signIns.noteCleared()
    this.#history.oracle.noteIdLost()
    this.#history.oracle.noteEvicted()
    // clearing everything signs the person out
    this.#history.oracle.forgetEvicted()
  }

  toggleConnection(): void {
    const isOnline = !this.#history.phone.isOnline
    this.#history.note(isOnline ? 'the line is back' : 'the line is cut')
    this.#history.phone.setOnline(isOnline)
  }

  toggleFault(): void {
    const where = this.#history.random.pick(['user/auth', 'auth', 'assessment/assessment-instance/responses', 'assessment', ''])
    const isOver = this.#history.faults.byPath.size > 0 && this.#history.random.chance(0.5)
    const fault = this.#history.random.pick([...FAULTS, 'slow', 'slow', 'slow'] as const)
    this.#history.note(isOver ? 'calls succeed again' : `calls to /${where}: ${fault}`)
    if (isOver) this.#history.faults.byPath.clear()
    else this.#history.faults.byPath.set(where, fault)
  }

  toggleRefusal(): void {
    const { question } = this.#history.random.pick(QUESTIONS)
    const { refused } = this.#history.api
    this.#history.note(`${refused.has(question.id) ? 'accept' : 'refuse'} ${question.id}`)
    if (!refused.delete(question.id)) refused.add(question.id)
  }

  refuseTokens(): void {
    this.#history.note('access tokens are refused')
    this.#history.api.refuseTokens()
  }

  endSessions(): void {
    const userId = this.#history.random.pick(PEOPLE)
    this.#history.note(`${userId}'s sessions are ended`)
    this.#history.api.endSessions(userId)
    this.#history.signIns.noteEnded(userId)
  }

  flush(): void {
    this.#history.note('local storage reaches the disk')
    this.#history.phone.flush()
    this.#history.signIns.noteFlushed()
  }
}
