import type { Refusal } from '#contract/errors.ts'

/** How a call failed (API-3): no reply, too late, a reply that is not ours, or a status with its body. */
export type ApiErrorKind = 'FETCH_ERROR' | 'TIMEOUT_ERROR' | 'PARSING_ERROR' | 'HTTP'

interface Details {
  kind: ApiErrorKind
  status?: number
  data?: unknown
  retryAfterSeconds?: number
  cause?: unknown
}

export class ApiError extends Error {
  readonly kind: ApiErrorKind
  /** of the reply, if there was one */
  readonly status: number | undefined
  /** the body of a refusal: ours (see `refusal`) or anybody's */
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

  /** The server's own refusal; undefined for what a portal or a proxy replied. */
  get refusal(): Refusal | undefined {
    return isRefusal(this.data) ? this.data : undefined
  }

  get code(): Refusal['code'] | undefined {
    return this.refusal?.code
  }

  /** It is not known whether it was done. */
  get isOutcomeUnknown(): boolean {
    return this.kind !== 'HTTP' || (this.status ?? 0) >= 500
  }

  /** Asking again later may help: nothing was decided. */
  get isTransient(): boolean {
    return this.isOutcomeUnknown || this.status === 408 || this.status === 429
  }
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError
}

/** ERRORS-1; a gateway's or portal's `{code, message}` has no request id of ours. */
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
