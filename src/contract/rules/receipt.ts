import type { Answers, GroupValue } from './questionnaire.ts'

/**
 * Proves that a save was stored as sent: the server replies with the count and hash of an operation's groups as stored, and the portal
 * shows "saved to your account" only if they match what it computes from what it sent. ANSWERS-6
 */
interface Receipt {
  /** items with a value */
  count: number
  /** 16 hex digits over the groups, in the order of their ids */
  hash: string
}

/** Counts and hashes question, item and value of each answer, in the order of their ids, and the id of each group. */
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

/** A group as the server stores it, or as a device knows from its receipt that the server does. */
export interface HeldGroup {
  questionId: string
  revision: number
  value: GroupValue
}

/**
 * A hash over all groups of an instance with their revisions, in any order. If device and server have the same hash, they store the same.
 * `instance` in contract/instances.ts describes what a device does if the hashes differ (ANSWERS-17).
 */
export function hashOfGroups(groups: readonly HeldGroup[]): string {
  const parts = groups.map(({ questionId, revision, value }) =>
    JSON.stringify([questionId, revision, receiptOf({ [questionId]: value }).hash]),
  )
  return hashOf(parts.toSorted().join('\n'))
}

/** Two 32-bit FNV-1a hashes: they detect differences and protect no secrets. Synchronous, and the same in every engine. */
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
