import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint } from '#contract/endpoint.ts'
import { commonErrors, errors, type ErrorCode } from '#contract/errors.ts'
import { read } from '#tests/house/source-files.ts'

/** Checks that a reply is the documented success of its call or a documented refusal in the requested language. */

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const wordsOf = (language: 'en' | 'fr', area: 'errors' | 'fields') =>
  JSON.parse(read(`locales/${language}/${area}.json`)) as Record<string, string>
const WORDS = {
  en: { errors: wordsOf('en', 'errors'), fields: Object.values(wordsOf('en', 'fields')) },
  fr: { errors: wordsOf('fr', 'errors'), fields: Object.values(wordsOf('fr', 'fields')) },
}

/** What is wrong with a refusal. @param own the codes of this call; codes of every call are added */
export function faultsOfRefusal({ status, headers, text }: Reply, language: 'en' | 'fr', own: readonly ErrorCode[]): string[] {
  const faults: string[] = []
  const demand = (isSo: boolean, what: string) => void (isSo || faults.push(what))
  const body = parsed(text) as { code: ErrorCode; message: string; fields?: Record<string, string>; requestId: string } | undefined
  if (typeof body?.code !== 'string') return ['no refusal of ours']
  const { code, message, fields, requestId } = body
  demand(
    Object.keys(body).every((key) => ['code', 'message', 'fields', 'requestId'].includes(key)),
    'a key that a refusal does not have',
  )
  demand([...own, ...commonErrors].includes(code), `${code} is not documented`)
  demand(errors[code] === status, `${code} with another status`)
  demand(code !== 'INTERNAL' && (status < 500 || code in errors), 'a 5xx')
  const { errors: ofCode, fields: ofFields } = WORDS[language]
  demand(message === ofCode[code] || (code === 'INVALID_INPUT' && ofFields.includes(message)), `not the words of ${language}: ${message}`)
  for (const shown of Object.values(fields ?? {})) {
    demand(ofFields.includes(shown) || Object.values(ofCode).includes(shown), `a field not in the words of ${language}: ${shown}`)
  }
  demand(headers['x-request-id'] === requestId && requestId.length > 30, 'x-request-id is not requestId')
  demand(headers['cache-control'] === 'no-store', 'a refusal that may be stored')
  demand(headers['content-type'] === 'application/json; charset=utf-8', 'another content type')
  demand(headers['x-content-type-options'] === 'nosniff', 'no security headers')
  if (status === 429 || status === 503) demand(/^[1-9]\d*$/.test(headers['retry-after'] ?? ''), 'no Retry-After')
  if (status === 405) demand(Boolean(headers.allow), 'no Allow')
  return faults
}

/** What is wrong with any reply. */
export function faultsOf(reply: Reply, language: 'en' | 'fr', endpoint: Endpoint): string[] {
  const { status, text } = reply
  if (status >= 300) return faultsOfRefusal(reply, language, endpoint.errors)
  if (status !== (endpoint.status ?? 200)) return [`a success of another status`]
  if (status === 204) return text === '' ? [] : ['a body where there is none']
  // a file's first and last line are the same in text
  const body = endpoint.file ? new TextEncoder().encode(text) : parsed(text)
  return endpoint.reply.safeParse(body).success ? [] : ['a reply off its schema']
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
