import { useCallback, useEffect, useReducer, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { onReachable } from '#app/api/network.ts'
import { noteSettled } from '#app/parts/steps/last-checkout.ts'
import { eventOfError, nextPaymentReturn, startPaymentReturn, type PaymentEvent, type PaymentReturn } from './payment-return.ts'

interface SessionStatus {
  status: string
  assessmentInstanceId?: string | null
}

interface Options {
  /** asks the API for a session's status */
  verify: (sessionId: string) => Promise<SessionStatus>
  /** a direct purchase is complete only with its instance */
  needsInstance: boolean
}

/**
 * Verifies the session named in the URL: at once, then with growing pauses, and whenever the API can be reached again. A reload
 * continues, as all it needs is the URL. BUY-14
 */
export function usePaymentReturn({ verify, needsInstance }: Options): { state: PaymentReturn; retry: () => void } {
  const [search] = useSearchParams()
  const sessionId = search.get('session_id')
  const [state, dispatch] = useReducer(
    (before: PaymentReturn, event: PaymentEvent) => nextPaymentReturn(before, event, needsInstance),
    sessionId,
    startPaymentReturn,
  )
  const latestVerify = useRef(verify)
  useEffect(() => {
    latestVerify.current = verify
  }, [verify])

  const attempt = state.step === 'verifying' ? state.attempt : undefined
  useEffect(() => {
    if (attempt === undefined || sessionId === null) return
    let isWanted = true
    const report = (event: PaymentEvent) => {
      if (isWanted) dispatch(event)
    }
    latestVerify.current(sessionId).then(
      (verified) => {
        if (verified.status === 'complete') noteSettled(sessionId)
        report({ type: 'answered', ...verified })
      },
      (error: unknown) => {
        report(eventOfError(error))
      },
    )
    return () => {
      isWanted = false
    }
  }, [attempt, sessionId])

  const retry = useCallback(() => {
    dispatch({ type: 'retry' })
  }, [])
  const pause = state.step === 'unverified' ? state.retryInMs : undefined
  const failures = state.step === 'unverified' ? state.attempt : undefined
  useEffect(() => {
    if (pause === undefined) return
    const timer = setTimeout(retry, pause)
    const unsubscribe = onReachable(retry)
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [pause, failures, retry])

  return { state, retry }
}
