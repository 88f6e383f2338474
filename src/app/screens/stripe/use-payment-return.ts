import { useCallback, useEffect, useReducer, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { onReachable } from '#app/api/network.ts'
import { eventOfError, nextPaymentReturn, startPaymentReturn, type PaymentEvent, type PaymentReturn } from './payment-return.ts'

interface Verified {
  status: string
  assessmentInstanceId?: string | null
}

interface Options {
  /** asks the API about a session */
  verify: (sessionId: string) => Promise<Verified>
  /** a direct purchase is complete only with its instance */
  needsInstance: boolean
}

/**
 * Verifies the session named in the URL: at once, with growing pauses, and whenever the API can be reached again. The URL is
 * all it needs, so a reload continues. BUY-14
 */
export function usePaymentReturn({ verify, needsInstance }: Options): { state: PaymentReturn; retry: () => void } {
  const [search] = useSearchParams()
  const sessionId = search.get('session_id')
  const [state, tell] = useReducer(
    (known: PaymentReturn, event: PaymentEvent) => nextPaymentReturn(known, event, needsInstance),
    sessionId,
    startPaymentReturn,
  )
  const ask = useRef(verify)
  useEffect(() => {
    ask.current = verify
  }, [verify])

  const attempt = state.step === 'verifying' ? state.attempt : undefined
  useEffect(() => {
    if (attempt === undefined || sessionId === null) return
    let isWanted = true
    const answer = (event: PaymentEvent) => {
      if (isWanted) tell(event)
    }
    ask.current(sessionId).then(
      (verified) => {
        answer({ type: 'answered', ...verified })
      },
      (error: unknown) => {
        answer(eventOfError(error))
      },
    )
    return () => {
      isWanted = false
    }
  }, [attempt, sessionId])

  const retry = useCallback(() => {
    tell({ type: 'retry' })
  }, [])
  const pause = state.step === 'unverified' ? state.retryInMs : undefined
  const failures = state.step === 'unverified' ? state.attempt : undefined
  useEffect(() => {
    if (pause === undefined) return
    const timer = setTimeout(retry, pause)
    const forget = onReachable(retry)
    return () => {
      clearTimeout(timer)
      forget()
    }
  }, [pause, failures, retry])

  return { state, retry }
}
