import type { FastifyReply, FastifyRequest } from 'fastify'
import { LONG_WAIT_SECONDS } from '#contract/constants.ts'
import { errors, type ErrorCode, type Refusal } from '#contract/errors.ts'
import type { Language } from '#contract/languages.ts'
import { fillIn } from '#contract/rules/fill-in.ts'
import { isDatabaseDown } from '../db/failures.ts'
import { isDiskFull } from '../disk-full.ts'
import type { RefusalDetail } from './handler.ts'
import { languageOf, wordsOf } from '../words/words.ts'

/** In `fields`: a field that the call does not have. */
export const UNKNOWN_FIELD = 'UnknownField'

/** Somebody has to make room. */
const FULL_DISK_RETRY_SECONDS = 30

/** A refusal, thrown by `refuse` and caught only by the router. Anything else that is thrown is a bug. */
export class Refused extends Error {
  readonly code: ErrorCode
  readonly detail: RefusalDetail

  /** @param why for the log only */
  constructor(code: ErrorCode, detail: RefusalDetail = {}, why?: unknown) {
    super(code, why === undefined ? {} : { cause: why })
    this.code = code
    this.detail = detail
  }
}

/** Ends a call with a code of the contract. */
export function refuse(code: ErrorCode, detail?: RefusalDetail): never {
  throw new Refused(code, detail)
}

/** Turns what was thrown into a refusal. A bug becomes INTERNAL, and its text appears in the log only. */
export function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error
  if (isDatabaseDown(error)) return new Refused('UNAVAILABLE', { retryAfter: 1 }, error)
  if (isDiskFull(error)) return new Refused('UNAVAILABLE', { retryAfter: FULL_DISK_RETRY_SECONDS }, error)
  return new Refused(frameworkCode(error) ?? 'INTERNAL')
}

/** Fastify's own refusals, before a handler is reached. */
function frameworkCode(error: unknown): ErrorCode | undefined {
  if (!(error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number')) return undefined
  switch (error.statusCode) {
    case 404:
      return 'NOT_FOUND'
    case 405:
      return 'METHOD_NOT_ALLOWED'
    case 408:
      return 'REQUEST_TIMEOUT'
    case 413:
    case 414:
    case 431:
      return 'TOO_LARGE'
    case 415:
      return 'UNSUPPORTED_MEDIA_TYPE'
    case 503:
      return 'UNAVAILABLE'
    default:
      return error.statusCode < 500 ? 'INVALID_INPUT' : undefined
  }
}

/** Sends a refusal, in the caller's language; all have the same shape. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refused: Refused): FastifyReply {
  const language = languageOf(request.headers['accept-language'])
  const { errors: texts, fields: fieldTexts } = wordsOf(language)
  const { fields, numbers, retryAfter } = refused.detail
  const textOf = (key: string) => (key === UNKNOWN_FIELD ? texts.UNKNOWN_FIELD : (fieldTexts[key] ?? texts.INVALID_INPUT))
  const named = fields && Object.entries(fields).map(([path, key]) => [path, fillIn(textOf(key), numbers ?? {})] as const)
  // with a single invalid field, the message says what is wrong with it (PROFILE-6), unless the code says so as precisely
  const first = refused.code === 'INVALID_INPUT' || numbers ? named?.[0]?.[1] : undefined
  const isLongWait = refused.code === 'TOO_MANY_REQUESTS' && retryAfter !== undefined && retryAfter >= LONG_WAIT_SECONDS
  const body: Refusal = {
    code: refused.code,
    message: first ?? (isLongWait ? fillIn(texts.WAIT_FOR, { wait: waitText(retryAfter, language) }) : texts[refused.code]),
    ...(named ? { fields: Object.fromEntries(named) } : {}),
    requestId: request.id,
  }
  if (errors[refused.code] === 401) reply.header('www-authenticate', challengeFor(request, refused))
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))))
  return reply.code(errors[refused.code]).type('application/json; charset=utf-8').header('cache-control', 'no-store').send(body)
}

/** RFC 6750: whether a token came, so that the operator's doctor notices a proxy that removes it. */
function challengeFor({ headers: { authorization } }: FastifyRequest, { code }: Refused): string {
  return code === 'INVALID_TOKEN' && authorization !== undefined ? 'Bearer error="invalid_token"' : 'Bearer'
}

/** "34 minutes", in hours from two hours on, in days from two days on. */
function waitText(seconds: number, language: Language): string {
  const minutes = Math.ceil(seconds / 60)
  const [unit, length] = minutes < 120 ? (['minute', 1] as const) : minutes < 2880 ? (['hour', 60] as const) : (['day', 1440] as const)
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(minutes / length))
}
