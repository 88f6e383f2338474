import type * as z from 'zod/mini'
import { codeOfField, commonErrors, type ErrorCode } from '#contract/errors.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { isExact } from './exact.ts'
import { Refused, UNKNOWN_FIELD } from './refusal.ts'

/** In `fields`: text with a character that cannot be stored. */
const BAD_TEXT = 'TextInvalid'

/** The most fields that a refusal names, so that its reply is not many times as long as the request. */
const NAMED_MAXIMUM = 100

type Part = 'params' | 'query' | 'body'

/** Parses a part of a request by its schema, or refuses it, naming what is wrong. */
export function validate(endpoint: Endpoint, part: Part, given: unknown): unknown {
  const schema = endpoint[part]
  if (!schema) return requireNothing(given)
  const parsed = isExact(schema, given) ? ({ success: true, data: given } as const) : schema.safeParse(given)
  const refused = parsed.success ? refusalOfText(parsed.data) : refusalOfIssues(endpoint, parsed.error.issues)
  if (!refused) return parsed.data
  // an invalid path parameter names nothing that exists
  throw part === 'params' ? new Refused('NOT_FOUND') : refused
}

function refusalOfText(data: unknown): Refused | undefined {
  const place = placeOfBadText(data)
  return place && new Refused('INVALID_INPUT', { fields: { [place.join('.')]: BAD_TEXT } })
}

/** Path of text that the database would reject: NUL, or half a surrogate pair. */
function placeOfBadText(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const parts = value as Record<string, unknown>
  for (const name of Object.keys(parts)) {
    const place = placeOfBadText(parts[name])
    if (place) return [name, ...place]
  }
  return undefined
}

/** Refuses a part that the call does not have; an empty object counts as none. */
function requireNothing(given: unknown): undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Refused('INVALID_JSON')
  const names = Object.keys(given)
  if (names.length === 0) return undefined
  throw new Refused('UNKNOWN_FIELD', { fields: Object.fromEntries(names.slice(0, NAMED_MAXIMUM).map((name) => [name, UNKNOWN_FIELD])) })
}

function refusalOfIssues(endpoint: Endpoint, issues: readonly z.core.$ZodIssue[]): Refused {
  const fields: Record<string, string> = {}
  const codes: ErrorCode[] = []
  for (const issue of issues.slice(0, NAMED_MAXIMUM)) {
    const path = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      codes.unshift('UNKNOWN_FIELD')
      for (const key of issue.keys.slice(0, NAMED_MAXIMUM)) fields[path ? `${path}.${key}` : key] = UNKNOWN_FIELD
      continue
    }
    fields[path] ??= issue.message
    const code = codeOfField[issue.message]
    if (code && isListed(endpoint, code)) codes.push(code)
  }
  const code = codes.includes('UNKNOWN_FIELD') ? 'UNKNOWN_FIELD' : (codes[0] ?? 'INVALID_INPUT')
  return new Refused(code, { fields })
}

function isListed(endpoint: Endpoint, code: ErrorCode): boolean {
  return endpoint.errors.includes(code) || (commonErrors as readonly ErrorCode[]).includes(code)
}

/** The query by name. A duplicate name is ambiguous and refused (INPUT-63). */
export function readQuery(url: string): Record<string, string> {
  const start = url.indexOf('?')
  const query: Record<string, string> = {}
  if (start === -1) return query
  const seen = new Set<string>()
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (seen.has(name)) throw new Refused('INVALID_INPUT')
    if (name === '__proto__') throw new Refused('UNKNOWN_FIELD')
    seen.add(name)
    query[name] = value
  }
  return query
}
