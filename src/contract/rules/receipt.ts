import type { Answers } from './questionnaire.ts'

/**
 * What "saved to your account" rests on: the server answers count and hash of the groups of an operation as it
 * stored them, the portal computes the same from what it sent, and only when they agree does it say so. Ruling 11
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
