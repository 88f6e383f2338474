import { Refused } from './refusal.ts'

const DEPTH_MAXIMUM = 20

/**
 * Parses unambiguous JSON only: two parsers may read a body with a duplicate key or `__proto__` differently (INPUT-62). Throws INVALID_JSON.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refused('INVALID_JSON')
  }
  // a duplicate is in the text and not in the value
  if (countKeys(value, DEPTH_MAXIMUM) !== countKeysIn(text)) throw new Refused('INVALID_JSON')
  return value
}

/** In the value and all that is in it; NaN if it is nested deeper, or a key is `__proto__`. */
function countKeys(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth === 0) return Number.NaN
  let count = 0
  if (Array.isArray(value)) {
    for (const one of value as unknown[]) count += countKeys(one, depth - 1)
    return count
  }
  const object = value as Record<string, unknown>
  for (const key of Object.keys(object)) {
    if (key === '__proto__') return Number.NaN
    count += 1 + countKeys(object[key], depth - 1)
  }
  return count
}

/** In text that JSON.parse has accepted, where a string before a colon is a key. */
function countKeysIn(text: string): number {
  let count = 0
  for (let start = text.indexOf('"'); start !== -1;) {
    let end = text.indexOf('"', start + 1)
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
    if (followedByColon(text, end)) count += 1
    start = text.indexOf('"', end + 1)
  }
  return count
}

/** Whether an odd number of backslashes is before it. */
function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '\\') start -= 1
  return (at - start) % 2 === 1
}

function followedByColon(text: string, end: number): boolean {
  let at = end + 1
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return text[at] === ':'
}
