import { safeParse } from 'zod/v4/core'
import { currentLanguage } from '#app/i18n/i18n.ts'
import { CALL_TIMEOUT_MS } from '#app/constants.ts'
import { APP_VERSION, APP_VERSION_HEADER } from '#contract/constants.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { Endpoint, ReplyOf, RequestOf } from '#contract/endpoint.ts'
import { ApiError, isRefusal } from './api-error.ts'
import { apiUrl } from './base-url.ts'
import { bearer } from './bearer.ts'
import { takePrefetched, withSignal } from './prefetched.ts'
import { network } from './network.ts'
import { noteServerDate } from './server-clock.ts'
import { updateRequired } from './update-required.ts'

export interface CallOptions {
  /** of texts in the reply; the screen's language by default */
  language?: string
  signal?: AbortSignal | undefined
  timeoutMs?: number
}

/** `{params, query, body}` of any endpoint, as `RequestOf` has it for one. */
interface AnyRequest {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

/** The request may be left out where the endpoint needs none. */
export type CallArguments<E extends Endpoint, Options> =
  Record<string, never> extends RequestOf<E> ? [request?: RequestOf<E>, options?: Options] : [request: RequestOf<E>, options?: Options]

/**
 * One call of the contract: request with bearer → reply, parsed by the endpoint's own schema.
 * Rejects with `ApiError`; with the signal's reason when the caller gave up.
 */
export async function call<E extends Endpoint>(endpoint: E, ...[request, options]: CallArguments<E, CallOptions>): Promise<ReplyOf<E>> {
  const token = await tokenFor(endpoint)
  try {
    return await attempt(endpoint, request ?? {}, options ?? {}, token)
  } catch (error) {
    const isTokenSent = token !== undefined && endpoint.access !== 'anyone'
    if (!isTokenSent || !isTokenRefused(error) || !(await bearer.renew(token))) throw error
    return attempt(endpoint, request ?? {}, options ?? {}, await bearer.token())
  }
}

/** Another 401 of ours is about a code that was typed: sent again, it would be a second guess. */
function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && (error.code ?? 'INVALID_TOKEN') === 'INVALID_TOKEN'
}

async function tokenFor(endpoint: Endpoint): Promise<string | undefined> {
  if (isPublicRead(endpoint)) return undefined
  return endpoint.access === 'anyone' ? bearer.stored() : bearer.token()
}

/** Read by everybody alike: sent bare, so that the worker may keep the reply (OFFLINE-6). */
function isPublicRead(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' && endpoint.access === 'anyone'
}

async function attempt<E extends Endpoint>(
  endpoint: E,
  request: AnyRequest,
  options: CallOptions,
  token: string | undefined,
): Promise<ReplyOf<E>> {
  const response = await answer(endpoint, request, options, token)
  const data = await bodyOf(response)
  if (!isPublicRead(endpoint) && data.isOurs) noteServerDate(response.headers.get('date'))
  if (!response.ok) throw refused(response, data.json)
  // what everybody may read can come from the worker
  if (!isPublicRead(endpoint)) updateRequired.note(false)
  const reply = safeParse(endpoint.reply, data.json)
  if (!reply.success) throw new ApiError({ kind: 'PARSING_ERROR', status: response.status, cause: reply.error })
  // Parsed by this very endpoint's schema.
  return reply.data as ReplyOf<E>
}

async function answer(endpoint: Endpoint, request: AnyRequest, options: CallOptions, token: string | undefined): Promise<Response> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? CALL_TIMEOUT_MS)
  const headers = headersOf(request, options, token)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  const init: RequestInit = { method: endpoint.method, headers, signal, credentials: 'same-origin' }
  if (request.body !== undefined) init.body = JSON.stringify(request.body)
  if (!isPublicRead(endpoint)) init.cache = 'no-store'
  const address = addressOf(endpoint, request)
  const prefetched = endpoint.method === 'GET' ? takePrefetched(address, headers) : undefined
  try {
    return await (prefetched ? withSignal(signal, prefetched) : fetch(address, init))
  } catch (error) {
    throw unanswered(error, options.signal, timeout)
  }
}

function headersOf(request: AnyRequest, options: CallOptions, token: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-language': options.language ?? currentLanguage(),
    [APP_VERSION_HEADER]: String(APP_VERSION),
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
}

function addressOf(endpoint: Endpoint, request: AnyRequest): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  const search = query.toString()
  return apiUrl + fillPath(endpoint.path, request.params) + (search && `?${search}`)
}

function unanswered(error: unknown, given: AbortSignal | undefined, timeout: AbortSignal): unknown {
  if (given?.aborted) return error
  network.noteFailure()
  return new ApiError({ kind: timeout.aborted ? 'TIMEOUT_ERROR' : 'FETCH_ERROR', cause: error })
}

async function bodyOf(response: Response): Promise<{ json: unknown; isOurs: boolean }> {
  if (response.status === 204) return { json: undefined, isOurs: true }
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) {
    // A captive portal answers anything with its page.
    network.noteOddReply()
    if (response.ok) throw new ApiError({ kind: 'PARSING_ERROR', status: response.status })
    return { json: undefined, isOurs: false }
  }
  try {
    const json: unknown = await response.json()
    const isOurs = response.ok || isRefusal(json)
    if (!isOurs) network.noteOddReply()
    return { json, isOurs }
  } catch (cause) {
    if (!response.ok) return { json: undefined, isOurs: false }
    network.noteOddReply()
    throw new ApiError({ kind: 'PARSING_ERROR', status: response.status, cause })
  }
}

function refused(response: Response, data: unknown): ApiError {
  if (response.status === 426) updateRequired.note(true)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError({
    kind: 'HTTP',
    status: response.status,
    data,
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
  })
}
