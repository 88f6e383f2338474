import { Refused } from './refusal.ts'

const DEPTH_MAXIMUM = 20
/** Keys and elements of lists. A save of 1,000 answers has some 8,000; checking many more would hold up everybody's calls. */
const VALUES_MAXIMUM = 20_000

/**
 * Parses unambiguous JSON only: two parsers may read a body with a duplicate key or `__proto__` differently (INPUT-62). Throws
 * INVALID_JSON, or TOO_LARGE for one of too many values.
 */
export function parseJson(text: string): unknown {
  refuseLaborious(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refused('INVALID_JSON')
  }
  const counted = { keys: 0, values: 0 }
  count(value, DEPTH_MAXIMUM, counted)
  // a duplicate is in the text and not in the value
  if (counted.keys !== countKeysIn(text)) throw new Refused('INVALID_JSON')
  return value
}

/** Refuses by the signs outside of strings, valid or not: JSON.parse itself takes half a second for a megabyte of brackets. */
function refuseLaborious(text: string): void {
  let depth = 0
  let commas = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '"') {
      at = endOfString(text, at)
      if (at === -1) throw new Refused('INVALID_JSON')
    } else if (sign === '[' || sign === '{') {
      depth += 1
      if (depth > DEPTH_MAXIMUM) throw new Refused('INVALID_JSON')
    } else if (sign === ']' || sign === '}') depth -= 1
    else if (sign === ',') {
      commas += 1
      if (commas > VALUES_MAXIMUM) throw new Refused('TOO_LARGE')
    }
  }
}

/** Counts in the value and all that is in it. Throws INVALID_JSON if it is nested deeper, or a key is `__proto__`. */
function count(value: unknown, depth: number, counted: { keys: number; values: number }): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === 0) throw new Refused('INVALID_JSON')
  const parts = Array.isArray(value) ? (value as unknown[]) : Object.values(value)
  counted.values += parts.length
  if (counted.values > VALUES_MAXIMUM) throw new Refused('TOO_LARGE')
  if (!Array.isArray(value)) {
    if (Object.hasOwn(value, '__proto__')) throw new Refused('INVALID_JSON')
    counted.keys += parts.length
  }
  for (const part of parts) count(part, depth - 1, counted)
}

/** How many keys a text has that JSON.parse accepted: there a string before a colon is a key. */
function countKeysIn(text: string): number {
  let count = 0
  for (let start = text.indexOf('"'); start !== -1;) {
    const end = endOfString(text, start)
    if (followedByColon(text, end)) count += 1
    start = text.indexOf('"', end + 1)
  }
  return count
}

/** The index of the quote that ends the string begun at `start`; -1 if none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
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
