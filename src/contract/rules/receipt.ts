import type { Answers, GroupValue } from './questionnaire.ts'

/**
 * What "saved to your account" rests on: the server answers count and hash of the groups of an operation as it
 * stored them, the portal computes the same from what it sent, and only when they agree does it say so. ANSWERS-6
 */
export interface Receipt {
  /** items with a value */
  count: number
  /** 16 hex digits over the groups, in the order of their ids */
  hash: string
}

export function receiptOf(groups: Answers): Receipt {
  let count = 0
  const parts: string[] = []
  for (const question of Object.keys(groups).toSorted()) {
    const group = groups[question] ?? {}
    for (const id of Object.keys(group).toSorted()) {
      const value = group[id]
      if (value === null || value === undefined) continue
      count += 1
      parts.push(JSON.stringify([question, id, value]))
    }
    // an explicitly cleared group differs from one that was not sent
    parts.push(JSON.stringify([question]))
  }
  return { count, hash: hashOf(parts.join('\n')) }
}

/** A group as the server stores it, or as a device was acknowledged it. */
export interface HeldGroup {
  questionId: string
  revision: number
  value: GroupValue
}

/**
 * One hash over all groups of an instance, with their revisions, in the order of their ids: two ends whose hashes agree
 * hold the same. What a device makes of a difference stands at `instance` in contract/instances.ts (ANSWERS-17).
 */
export function hashOfGroups(groups: readonly HeldGroup[]): string {
  const parts = groups.map(({ questionId, revision, value }) =>
    JSON.stringify([questionId, revision, receiptOf({ [questionId]: value }).hash]),
  )
  return hashOf(parts.toSorted().join('\n'))
}

/** Two FNV-1a streams of 32 bits: for telling a mismatch, not for secrets; the same in every engine, no await. */
export function hashOf(text: string): string {
  let a = 0x811c9dc5
  let b = 0xcbf29ce4
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ ((unit << 7) | (unit >>> 9)), 0x01000193)
  }
  return hex(a) + hex(b)
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
