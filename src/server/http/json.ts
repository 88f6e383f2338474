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
  if (!hasPlainKeys(text)) throw new Refused('INVALID_JSON')
  return value
}

/** Walks text that JSON.parse has accepted, so only strings and brackets matter. */
function hasPlainKeys(text: string): boolean {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
      case '[':
        if (open.push(text[at] === '{' ? new Set() : null) > DEPTH_MAXIMUM) return false
        break
      case '}':
      case ']':
        open.pop()
        break
      case '"': {
        const end = endOfString(text, at)
        const keys = open.at(-1)
        if (keys && followedByColon(text, end)) {
          const key = JSON.parse(text.slice(at, end + 1)) as string // a string, by its quotes
          if (key === '__proto__' || keys.has(key)) return false
          keys.add(key)
        }
        at = end
        break
      }
    }
  }
  return true
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function followedByColon(text: string, end: number): boolean {
  let at = end + 1
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return text[at] === ':'
}
