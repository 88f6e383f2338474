import { isApiError } from '#app/api/api-error.ts'

/**
 * What a payment return knows, as a pure machine. §4 Payment return, ruling 24: only a definite answer is a failure;
 * without one the page waits and asks again by itself. The webhook fulfils without the page.
 */

export type PaymentReturn =
  | { step: 'verifying'; attempt: number }
  | { step: 'unverified'; attempt: number; retryInMs: number }
  | { step: 'failed' }
  | { step: 'complete'; assessmentInstanceId: string | null }

export type PaymentEvent =
  | { type: 'answered'; status: string; assessmentInstanceId?: string | null }
  /** the API said no to this session */
  | { type: 'refused' }
  /** no network, time-out, 5xx: nobody knows yet */
  | { type: 'unanswered' }
  | { type: 'retry' }

export const RETRY_FIRST_MS = 2_000
export const RETRY_LONGEST_MS = 60_000

export function startPaymentReturn(sessionId: string | null): PaymentReturn {
  return sessionId ? { step: 'verifying', attempt: 1 } : { step: 'failed' }
}

function waiting(attempt: number): PaymentReturn {
  return { step: 'unverified', attempt, retryInMs: Math.min(RETRY_FIRST_MS * 2 ** (attempt - 1), RETRY_LONGEST_MS) }
}

/** `needsInstance`: a direct purchase is complete with its instance only; until it is there, ask again. */
export function nextPaymentReturn(state: PaymentReturn, event: PaymentEvent, needsInstance: boolean): PaymentReturn {
  if (state.step === 'failed' || state.step === 'complete') return state
  switch (event.type) {
    case 'retry':
      return state.step === 'unverified' ? { step: 'verifying', attempt: state.attempt + 1 } : state
    case 'refused':
      return { step: 'failed' }
    case 'unanswered':
      return waiting(state.attempt)
    case 'answered': {
      if (event.status !== 'complete') return { step: 'failed' }
      const assessmentInstanceId = event.assessmentInstanceId ?? null
      return needsInstance && assessmentInstanceId === null ? waiting(state.attempt) : { step: 'complete', assessmentInstanceId }
    }
  }
}

/** Statuses that speak of the moment, not of the payment: credentials, time-outs, too many requests, an old app. */
const PASSING = new Set([401, 408, 425, 426, 429])

/** A failed call → event. A portal's page or a proxy's text is no answer of ours, whatever its status. */
export function eventOfError(error: unknown): PaymentEvent {
  const status = isApiError(error) && error.refusal !== undefined ? error.status : undefined
  const isDefinite = status !== undefined && status >= 400 && status < 500 && !PASSING.has(status)
  return { type: isDefinite ? 'refused' : 'unanswered' }
}
