import { isApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'

/**
 * The payment return as a state machine. Only a definite refusal is a failure; otherwise the page retries by itself. The purchase
 * is fulfilled by the provider's webhook, even if this page is closed. BUY-12 to BUY-14
 */

/** What is missing: any reply, a conclusive reply, or the instance, which was paid for and is still being made. */
export type Why = 'unreachable' | 'unanswered' | 'paid'

export type PaymentReturn =
  /** `why`: from the previous attempt */
  | { step: 'verifying'; attempt: number; why?: Why }
  | { step: 'unverified'; attempt: number; retryInMs: number; why: Why }
  /** `isOfOther`: another account's, if anybody's */
  | { step: 'failed'; isOfOther?: true }
  | { step: 'complete'; assessmentInstanceId: string | null }

export type PaymentEvent =
  | { type: 'answered'; status: string; assessmentInstanceId?: string | null }
  /** the API refused this session, or does not know it as this person's */
  | { type: 'refused'; isOfOther?: boolean }
  /** no network, time-out or 5xx: the result is not known yet */
  | { type: 'unanswered'; why: Why; error?: unknown }
  | { type: 'retry' }

const RETRY_WAITS = { first: 2_000, longest: 60_000 }

export function startPaymentReturn(sessionId: string | null): PaymentReturn {
  return sessionId ? { step: 'verifying', attempt: 1 } : { step: 'failed' }
}

function waiting(attempt: number, why: Why, error?: unknown): PaymentReturn {
  const retryInMs = retryDelay(attempt, error, RETRY_WAITS)
  return { step: 'unverified', why, attempt, retryInMs }
}

/** `needsInstance`: a direct purchase is complete only once its instance is there. */
export function nextPaymentReturn(state: PaymentReturn, event: PaymentEvent, needsInstance: boolean): PaymentReturn {
  if (state.step === 'failed' || state.step === 'complete') return state
  switch (event.type) {
    case 'retry':
      return state.step === 'unverified' ? { step: 'verifying', attempt: state.attempt + 1, why: state.why } : state
    case 'refused':
      return { step: 'failed', ...(event.isOfOther && { isOfOther: true }) }
    case 'unanswered':
      return waiting(state.attempt, event.why, event.error)
    case 'answered': {
      if (event.status !== 'complete') return { step: 'failed' }
      const assessmentInstanceId = event.assessmentInstanceId ?? null
      return needsInstance && assessmentInstanceId === null ? waiting(state.attempt, 'paid') : { step: 'complete', assessmentInstanceId }
    }
  }
}

/** Statuses that say nothing about the payment: credentials, time-outs, too many requests, an old app. */
const INCONCLUSIVE = new Set([401, 408, 425, 426, 429])

/** A failed call → event. A captive portal's or a proxy's page is not a reply of the API, whatever its status. */
export function eventOfError(error: unknown): PaymentEvent {
  const status = isApiError(error) && error.refusal !== undefined ? error.status : undefined
  const isDefinite = status !== undefined && status >= 400 && status < 500 && !INCONCLUSIVE.has(status)
  if (isDefinite) return { type: 'refused', isOfOther: status === 403 || status === 404 }
  // a 5xx is the server's or its proxy's; other pages are a captive portal's
  const hasReplied = isApiError(error) && error.kind === 'HTTP' && (error.refusal !== undefined || (error.status ?? 0) >= 500)
  return { type: 'unanswered', why: hasReplied ? 'unanswered' : 'unreachable', error }
}
