import type { Refusal } from '#contract/errors.ts'

/** How a call failed (API-3): no reply, a time-out, a reply that does not fit the contract, or an HTTP error status. */
type ApiErrorKind = 'FETCH_ERROR' | 'TIMEOUT_ERROR' | 'PARSING_ERROR' | 'HTTP'

interface Details {
  kind: ApiErrorKind
  status?: number
  data?: unknown
  retryAfterSeconds?: number
  cause?: unknown
}

/** The failure of a call. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind
  /** of the reply, if there was one */
  readonly status: number | undefined
  /** the body of an error reply, of our server (see `refusal`) or of a proxy */
  readonly data: unknown
  readonly retryAfterSeconds: number | undefined
  /** epoch ms; what `retryAfterSeconds` counts from */
  readonly at = Date.now()

  constructor({ kind, status, data, retryAfterSeconds, cause }: Details) {
    super(kind === 'HTTP' ? `HTTP ${status}` : kind, { cause })
    this.name = 'ApiError'
    this.kind = kind
    this.status = status
    this.data = data
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** The error of our own server; undefined if a captive portal or proxy replied. */
  get refusal(): Refusal | undefined {
    return isRefusal(this.data) ? this.data : undefined
  }

  get code(): Refusal['code'] | undefined {
    return this.refusal?.code
  }

  /** It is unknown whether the server did what the call asked for. */
  get isOutcomeUnknown(): boolean {
    return this.kind !== 'HTTP' || ((this.status ?? 0) >= 500 && this.code !== 'DISK_FULL')
  }

  /** A proxy, a filter or a captive portal replied with an error in place of our server: it refuses nothing. */
  get isNotOurs(): boolean {
    return this.kind === 'HTTP' && this.refusal === undefined
  }

  /** Our server refused it with one of these statuses; a proxy's page of the same status says nothing. */
  refusedWith(...statuses: number[]): boolean {
    return this.refusal !== undefined && this.status !== undefined && statuses.includes(this.status)
  }

  /** A later retry may succeed. */
  get isTransient(): boolean {
    return this.isOutcomeUnknown || this.isNotOurs || this.status === 408 || this.status === 429
  }
}

/** The error to report: a call not sent because the session could not be renewed failed for the renewal's reason. */
export function originOf(error: ApiError): ApiError {
  return isApiError(error.cause) ? error.cause : error
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError
}

/** Whether a body is an error of our server (ERRORS-1); a gateway's `{code, message}` has no `requestId`. */
export function isRefusal(data: unknown): data is Refusal {
  return (
    typeof data === 'object' &&
    data !== null &&
    'code' in data &&
    typeof data.code === 'string' &&
    'message' in data &&
    typeof data.message === 'string' &&
    'requestId' in data &&
    typeof data.requestId === 'string'
  )
}

/** Refused before our server looked at what was asked. */
const UNJUDGED = new Set([401, 403, 408, 426, 429])

/**
 * Whether it is unknown what the server did, after one attempt or several: a later refusal that says nothing of what was asked, as a
 * limit's or a proxy's, tells nothing of an earlier attempt whose reply was lost.
 * @param wasUnknown after the attempts before this one
 * @param error of this attempt
 */
export function staysUnknown(wasUnknown: boolean, error: unknown): boolean {
  if (!isApiError(error)) return wasUnknown
  const isUnjudged = error.code === undefined || UNJUDGED.has(error.status ?? 0)
  return error.isOutcomeUnknown || (wasUnknown && isUnjudged)
}
