import { happening } from '#app/api/happening.ts'
import type { InstanceKey } from './stored.ts'

/**
 * Answers that are neither on this device's disk nor in the account, and live in this page alone: counted for whoever says
 * where answers are, and asked about by the browser before the page is closed.
 */

const counts = new Map<string, number>()
const changed = happening()
const nameOf = ({ userId, instanceId }: InstanceKey) => `${userId}/${instanceId}`
const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault()

export function noteUnwritten(key: InstanceKey, count: number): void {
  if (unwrittenOf(key) === count) return
  if (count === 0) counts.delete(nameOf(key))
  else counts.set(nameOf(key), count)
  // the browser keeps a page that asks out of its back and forward cache: only while it has to
  if (counts.size === 0) removeEventListener('beforeunload', askBeforeClosing)
  else addEventListener('beforeunload', askBeforeClosing)
  changed.tell()
}

/** Groups of an instance. */
export function unwrittenOf(key: InstanceKey): number {
  return counts.get(nameOf(key)) ?? 0
}

export const onUnwritten = changed.subscribe

const discarded = happening<string>()
/** Their owner, a user id, signed out and wanted what was not sent to go. */
export const discardUnwritten = discarded.tell
export const onDiscarded = discarded.subscribe
