import { isApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'

/**
 * What a payment return knows, as a pure machine. BUY-12 to BUY-14: only a definite answer is a failure;
 * without one the page waits and asks again by itself. The webhook fulfils without the page.
 */

/** What is wanting: the server's answer, an answer of any use, or what was paid for, which is still being made. */
export type Why = 'unreachable' | 'unanswered' | 'paid'

export type PaymentReturn =
  /** `why`: of the try before this one */
  | { step: 'verifying'; attempt: number; why?: Why }
  | { step: 'unverified'; attempt: number; retryInMs: number; why: Why }
  | { step: 'failed' }
  | { step: 'complete'; assessmentInstanceId: string | null }

export type PaymentEvent =
  | { type: 'answered'; status: string; assessmentInstanceId?: string | null }
  /** the API said no to this session */
  | { type: 'refused' }
  /** no network, time-out, 5xx: nobody knows yet */
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

/** `needsInstance`: a direct purchase is complete with its instance only; until it is there, ask again. */
export function nextPaymentReturn(state: PaymentReturn, event: PaymentEvent, needsInstance: boolean): PaymentReturn {
  if (state.step === 'failed' || state.step === 'complete') return state
  switch (event.type) {
    case 'retry':
      return state.step === 'unverified' ? { step: 'verifying', attempt: state.attempt + 1, why: state.why } : state
    case 'refused':
      return { step: 'failed' }
    case 'unanswered':
      return waiting(state.attempt, event.why, event.error)
    case 'answered': {
      if (event.status !== 'complete') return { step: 'failed' }
      const assessmentInstanceId = event.assessmentInstanceId ?? null
      return needsInstance && assessmentInstanceId === null ? waiting(state.attempt, 'paid') : { step: 'complete', assessmentInstanceId }
    }
  }
}

/** Statuses that speak of the moment, not of the payment: credentials, time-outs, too many requests, an old app. */
const PASSING = new Set([401, 408, 425, 426, 429])

/** A failed call → event. A portal's page or a proxy's text is no answer of ours, whatever its status. */
export function eventOfError(error: unknown): PaymentEvent {
  const status = isApiError(error) && error.refusal !== undefined ? error.status : undefined
  const isDefinite = status !== undefined && status >= 400 && status < 500 && !PASSING.has(status)
  if (isDefinite) return { type: 'refused' }
  // a 5xx has been answered, if only by what stands in front of the server; a portal's page has not
  const hasAnswered = isApiError(error) && error.kind === 'HTTP' && (error.refusal !== undefined || (error.status ?? 0) >= 500)
  return { type: 'unanswered', why: hasAnswered ? 'unanswered' : 'unreachable', error }
}
