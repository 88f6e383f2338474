import { createEvent } from '#app/api/events.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'

/**
 * Unwritten answers: neither on this device's disk nor in the account, so they exist only in this page. Counted for the save
 * status; while there are any, the browser asks for confirmation before the page is closed. Other tabs: unwritten-in-tabs.ts.
 */

const questionsByInstance = new Map<string, ReadonlySet<string>>()
/** counted apart, as they are no answers */
const marksByInstance = new Map<string, number>()
/** How many marks are unwritten in this page, by "userId instanceId". */
export const unwrittenMarks: ReadonlyMap<string, number> = marksByInstance
/** undefined: another tab's */
const changed = createEvent<InstanceKey | undefined>()
let isElsewhere = false
/** An instance's key as text, as `textOfKey` of stored.ts, which loads later, and in the names of locks (unwritten-in-tabs.ts). */
const nameOf = ({ userId, instanceId }: InstanceKey) => `${userId} ${instanceId}`
const confirmClosing = (event: BeforeUnloadEvent) => event.preventDefault()

/** Sets the unwritten questions of an instance; an empty list when all are written or sent. */
export function setUnwritten(key: InstanceKey, questionIds: readonly string[]): void {
  const name = nameOf(key)
  const questions = new Set(questionIds)
  const before = questionsByInstance.get(name)
  if (questions.size === (before?.size ?? 0) && questionIds.every((id) => before?.has(id))) return
  if (questions.size === 0) questionsByInstance.delete(name)
  else questionsByInstance.set(name, questions)
  emitChanged(key)
}

/** Sets how many marks on an instance's results are unwritten. RESULTS-19 */
export function setUnwrittenMarks(key: InstanceKey, count: number): void {
  if ((marksByInstance.get(nameOf(key)) ?? 0) === count) return
  if (count === 0) marksByInstance.delete(nameOf(key))
  else marksByInstance.set(nameOf(key), count)
  emitChanged(key)
}

function emitChanged(key: InstanceKey): void {
  // registered only while something would be lost, as it prompts everybody who leaves
  if (hasUnwrittenHere()) addEventListener('beforeunload', confirmClosing)
  else removeEventListener('beforeunload', confirmClosing)
  changed.emit(key)
}

/** How many groups of an instance are unwritten in this page. */
export function unwrittenOf(key: InstanceKey): number {
  return questionsByInstance.get(nameOf(key))?.size ?? 0
}

export function hasUnwrittenHere(): boolean {
  return questionsByInstance.size + marksByInstance.size > 0
}

/** Whether answers are in this page or another alone. */
export function hasUnwritten(): boolean {
  return hasUnwrittenHere() || isElsewhere
}

export function setUnwrittenElsewhere(isNowElsewhere: boolean): void {
  if (isElsewhere === isNowElsewhere) return
  isElsewhere = isNowElsewhere
  changed.emit(undefined)
}

/** The unwritten answers of this page, each as one string: "userId instanceId questionId". */
export function unwrittenHere(): string[] {
  return [...questionsByInstance].flatMap(([name, questions]) => [...questions].map((id) => `${name} ${id}`))
}

/** The instances of which this page has some. */
export function instancesUnwrittenHere(): InstanceKey[] {
  return [...questionsByInstance.keys()].map((name) => {
    const [userId = '', instanceId = ''] = name.split(' ')
    return { userId, instanceId }
  })
}

export const onUnwritten = changed.subscribe
