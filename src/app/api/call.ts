import { safeParse } from 'zod/v4/core'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { CALL_TIMEOUT_MS, FOREIGN_WAIT_MAXIMUM_MS } from '#app/constants.ts'
import { APP_VERSION, APP_VERSION_HEADER, IDEMPOTENCY_HEADER } from '#contract/constants.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { Endpoint, ReplyOf, RequestOf } from '#contract/endpoint.ts'
import { ApiError, isRefusal } from './api-error.ts'
import { apiUrl } from './base-url.ts'
import { takePrefetched, withSignal } from './prefetched.ts'
import { network } from './network.ts'
import { noteServerDate } from './server-clock.ts'
import { sessionPort } from './session-port.ts'
import { updateRequired } from './update-required.ts'

export interface CallOptions {
  /** of texts in the reply; the screen's language by default */
  language?: string
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** sent also if the page is left meanwhile */
  isKeptAlive?: boolean
  /** of a call that is replied once: the same for one that is tried again because its reply was lost */
  idempotencyKey?: string
  /** called for each request with the time when it was sent (epoch ms): the reply is what the server had then or later */
  onSent?: (at: number) => void
  /** whose request it is, if it was prepared for them before something else was awaited: they may have signed out since */
  userId?: string | undefined
}

/** `{params, query, body}` of any endpoint, as `RequestOf` has it for one. */
interface AnyRequest {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

/** Arguments after the endpoint: the request is optional if the endpoint needs none. */
export type CallArguments<E extends Endpoint, Options> =
  Record<string, never> extends RequestOf<E> ? [request?: RequestOf<E>, options?: Options] : [request: RequestOf<E>, options?: Options]

/**
 * Makes one call of the contract and parses the reply by the endpoint's schema. Repeats it once with a new token after a 401. One person's
 * request is never sent as another's, who has signed in since, perhaps in a tab of which this one has not heard yet (ANSWERS-9).
 * Rejects with `ApiError`, or with the signal's reason if the caller aborted.
 */
export async function call<E extends Endpoint>(endpoint: E, ...[request, options]: CallArguments<E, CallOptions>): Promise<ReplyOf<E>> {
  const sender = options?.userId ?? sessionPort.get()?.userId()
  const isSender = () => {
    const stored = sessionPort.get()?.storedUserId()
    return endpoint.access === 'anyone' || stored === undefined || stored === sender
  }
  const token = await tokenFor(endpoint)
  if (!isSender()) throw new ApiError({ kind: 'FETCH_ERROR' })
  const isTokenSent = token !== undefined && endpoint.access !== 'anyone'
  const sentAt = performance.now()
  try {
    const reply = await callWith(endpoint, request ?? {}, options ?? {}, token)
    if (isTokenSent) sessionPort.get()?.noteAccepted(sentAt)
    return reply
  } catch (error) {
    if (!isTokenSent || !isTokenRefused(error) || !(await sessionPort.get()?.renew(token))) throw error
    const renewed = await sessionPort.get()?.token()
    if (!isSender()) throw error
    return callWith(endpoint, request ?? {}, options ?? {}, renewed)
  }
}

/** Any other 401 of our server is about a typed code: repeating the call would count as a second guess. */
function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && (error.code ?? 'INVALID_TOKEN') === 'INVALID_TOKEN'
}

async function tokenFor(endpoint: Endpoint): Promise<string | undefined> {
  if (isPublicRead(endpoint)) return undefined
  const session = sessionPort.get()
  return endpoint.access === 'anyone' ? session?.storedToken() : session?.token()
}

/** The reply is the same for everybody: sent without credentials, so that the worker may store it (OFFLINE-6). */
function isPublicRead(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' && endpoint.access === 'anyone'
}

/** `call` with this token, and once only: for credentials that are not the session's. */
export async function callWith<E extends Endpoint>(
  endpoint: E,
  request: AnyRequest,
  options: CallOptions,
  token: string | undefined,
): Promise<ReplyOf<E>> {
  const ends = endsOf(options)
  const response = await fetchReply(endpoint, request, options, token, ends)
  // its body may take long
  const arrivedAt = Date.now()
  const data = endpoint.file && response.ok ? await fileOf(response, endpoint.file.type, ends) : await bodyOf(response, ends)
  if (!response.ok) throw refused(response, data)
  const reply = safeParse(endpoint.reply, data)
  if (!reply.success) {
    network.noteOddReply()
    throw new ApiError({ kind: 'PARSING_ERROR', status: response.status, cause: reply.error })
  }
  // a public read may come from the worker's cache, so it says nothing of the server now
  if (!isPublicRead(endpoint)) {
    if (!endpoint.anyVersion) updateRequired.note(false)
    noteServerDate(response.headers.get('date'), arrivedAt)
  }
  // Parsed by this very endpoint's schema.
  return reply.data as ReplyOf<E>
}

/** What ends a call before its reply is here. */
interface Ends {
  given: AbortSignal | undefined
  timeout: AbortSignal
  either: AbortSignal
}

function endsOf({ signal: given, timeoutMs = CALL_TIMEOUT_MS }: CallOptions): Ends {
  const timeout = AbortSignal.timeout(timeoutMs)
  return { given, timeout, either: given ? AbortSignal.any([given, timeout]) : timeout }
}

async function fetchReply(
  endpoint: Endpoint,
  request: AnyRequest,
  options: CallOptions,
  token: string | undefined,
  ends: Ends,
): Promise<Response> {
  const headers = headersOf(endpoint, request, options, token)
  // an older browser ignores `keepalive`
  const init: RequestInit = {
    method: endpoint.method,
    headers,
    signal: ends.either,
    credentials: 'same-origin',
    keepalive: options.isKeptAlive ?? false,
  }
  if (request.body !== undefined) init.body = JSON.stringify(request.body)
  if (!isPublicRead(endpoint)) init.cache = 'no-store'
  const url = urlOf(endpoint, request)
  const prefetched = endpoint.method === 'GET' ? takePrefetched(url, headers) : undefined
  options.onSent?.(prefetched?.askedAt ?? Date.now())
  try {
    return await (prefetched ? withSignal(ends.either, prefetched.reply) : fetch(url, init))
  } catch (error) {
    throw noReply(error, ends)
  }
}

function headersOf(endpoint: Endpoint, request: AnyRequest, options: CallOptions, token: string | undefined): Record<string, string> {
  return {
    accept: endpoint.file?.type ?? 'application/json',
    'accept-language': options.language ?? currentLanguage(),
    [APP_VERSION_HEADER]: String(APP_VERSION),
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(endpoint.isRepliedOnce ? { [IDEMPOTENCY_HEADER]: options.idempotencyKey ?? crypto.randomUUID() } : {}),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
}

function urlOf(endpoint: Endpoint, request: AnyRequest): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  const search = query.toString()
  return apiUrl + fillPath(endpoint.path, request.params) + (search && `?${search}`)
}

/** The line broke before the reply or within it, or was too slow. */
function noReply(error: unknown, { given, timeout }: Ends): unknown {
  if (given?.aborted) return error
  network.recheck()
  return new ApiError({ kind: timeout.aborted ? 'TIMEOUT_ERROR' : 'FETCH_ERROR', cause: error })
}

async function bodyOf(response: Response, ends: Ends): Promise<unknown> {
  if (response.status === 204) return undefined
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) {
    // A captive portal replies to everything with its own page.
    network.noteOddReply()
    if (response.ok) throw new ApiError({ kind: 'PARSING_ERROR', status: response.status })
    return undefined
  }
  try {
    const body: unknown = await withSignal(ends.either, response.json())
    if (!response.ok && !isRefusal(body)) network.noteOddReply()
    return body
  } catch (cause) {
    if (!response.ok) return undefined
    // only a whole body that is no JSON is somebody else's
    if (!(cause instanceof SyntaxError)) throw noReply(cause, ends)
    network.noteOddReply()
    throw new ApiError({ kind: 'PARSING_ERROR', status: response.status, cause })
  }
}

/** The bytes of a file; anything of another type is not from our server. */
async function fileOf(response: Response, type: string, ends: Ends): Promise<unknown> {
  // a proxy may add a charset
  if (response.headers.get('content-type')?.split(';')[0]?.trim() !== type) {
    network.noteOddReply()
    throw new ApiError({ kind: 'PARSING_ERROR', status: response.status })
  }
  const bytes = await bytesOf(response, ends)
  // more bytes than the header says are a reply that a proxy compressed
  if (bytes.length < Number(response.headers.get('content-length'))) throw new ApiError({ kind: 'FETCH_ERROR' })
  return bytes
}

async function bytesOf(response: Response, ends: Ends): Promise<Uint8Array> {
  try {
    return new Uint8Array(await withSignal(ends.either, response.arrayBuffer()))
  } catch (cause) {
    throw noReply(cause, ends)
  }
}

function refused(response: Response, data: unknown): ApiError {
  const isOurs = isRefusal(data)
  if (isOurs && response.status === 426) updateRequired.note(true)
  // refusals always come from the server, never from the worker's cache
  if (isOurs) noteServerDate(response.headers.get('date'))
  const asked = secondsOf(response.headers)
  const retryAfter = isOurs ? asked : Math.min(asked, FOREIGN_WAIT_MAXIMUM_MS / 1000)
  return new ApiError({
    kind: 'HTTP',
    status: response.status,
    data,
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
  })
}

/** Retry-After: seconds, or the time of the sender's clock. NaN if there is none. */
function secondsOf(headers: Headers): number {
  const given = headers.get('retry-after') ?? ''
  if (!given.trim().endsWith('GMT')) return Number(given || Number.NaN)
  return Math.max(0, (Date.parse(given) - Date.parse(headers.get('date') ?? '')) / 1000)
}
