import { createEvent } from '#app/api/events.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'

/**
 * Answers that are neither on this device's disk nor in the account, and exist only in this page: counted for the screens that say
 * where answers are, and asked about by the browser before the page is closed. Other tabs know of them by unwritten-in-tabs.ts.
 */

const ofPage = new Map<string, ReadonlySet<string>>()
const changed = createEvent<InstanceKey>()
const nameOf = ({ userId, instanceId }: InstanceKey) => `${userId} ${instanceId}`
const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault()

export function noteUnwritten(key: InstanceKey, questionIds: readonly string[]): void {
  const name = nameOf(key)
  const questions = new Set(questionIds)
  const before = ofPage.get(name)
  if (questions.size === (before?.size ?? 0) && questionIds.every((id) => before?.has(id))) return
  if (questions.size === 0) ofPage.delete(name)
  else ofPage.set(name, questions)
  // a page that asks is left out of the browser's back and forward cache: only while it has to
  if (ofPage.size === 0) removeEventListener('beforeunload', askBeforeClosing)
  else addEventListener('beforeunload', askBeforeClosing)
  changed.emit(key)
}

/** Groups of an instance, in this page. */
export function unwrittenOf(key: InstanceKey): number {
  return ofPage.get(nameOf(key))?.size ?? 0
}

export function hasUnwrittenHere(): boolean {
  return ofPage.size > 0
}

/** User id, instance id and question id of each, in one text. */
export function unwrittenHere(): string[] {
  return [...ofPage].flatMap(([name, questions]) => [...questions].map((id) => `${name} ${id}`))
}

export const onUnwritten = changed.subscribe

/** What a person wants done with theirs: sent now, or thrown away. */
export interface UnwrittenRequest {
  userId: string
  isDiscarded: boolean
}

export const unwrittenRequested = createEvent<UnwrittenRequest>()
