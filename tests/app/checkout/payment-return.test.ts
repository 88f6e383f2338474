import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import {
  eventOfError,
  nextPaymentReturn,
  startPaymentReturn,
  type PaymentEvent,
  type PaymentReturn,
} from '#app/screens/stripe/payment-return.ts'

const after = (sessionId: string | null, events: PaymentEvent[], needsInstance = true): PaymentReturn =>
  events.reduce((state, event) => nextPaymentReturn(state, event, needsInstance), startPaymentReturn(sessionId))

const refusal = (status: number) => new ApiError({ kind: 'HTTP', status, data: { code: 'ANY', message: 'no', requestId: '1' } })

const unanswered: PaymentEvent = { type: 'unanswered', why: 'unreachable' }
const retry: PaymentEvent = { type: 'retry' }

// waits are random: here each is the longest it may be
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(1))
afterEach(() => void vi.restoreAllMocks())

describe('a payment return', () => {
  it('fails without a session', () => {
    expect(after(null, [])).toEqual({ step: 'failed' })
    expect(after('', [])).toEqual({ step: 'failed' })
  })

  it('is verified first', () => {
    expect(after('cs_1', [])).toEqual({ step: 'verifying', attempt: 1 })
  })

  it('is complete with its instance', () => {
    const answered: PaymentEvent = { type: 'answered', status: 'complete', assessmentInstanceId: 'i1' }
    expect(after('cs_1', [answered])).toEqual({ step: 'complete', assessmentInstanceId: 'i1' })
  })

  it('of a direct purchase that is complete but has no instance yet stays unverified and says that it is paid', () => {
    const answered: PaymentEvent = { type: 'answered', status: 'complete', assessmentInstanceId: null }
    expect(after('cs_1', [answered])).toMatchObject({ step: 'unverified', why: 'paid' })
    expect(after('cs_1', [answered, retry])).toMatchObject({ step: 'verifying', why: 'paid' })
  })

  it('needs no instance for tokens', () => {
    expect(after('cs_1', [{ type: 'answered', status: 'complete' }], false)).toEqual({ step: 'complete', assessmentInstanceId: null })
  })

  it.each(['open', 'expired', 'anything'])('fails on the status %s', (status) => {
    expect(after('cs_1', [{ type: 'answered', status }])).toEqual({ step: 'failed' })
  })

  it.each([400, 409, 422])('fails on the refusal %i', (status) => {
    expect(after('cs_1', [eventOfError(refusal(status))])).toEqual({ step: 'failed' })
  })

  it.each([403, 404])('that the refusal %i calls somebody else’s says so, as it may have gone through', (status) => {
    expect(after('cs_1', [eventOfError(refusal(status))])).toEqual({ step: 'failed', isOfOther: true })
  })

  it.each([
    new ApiError({ kind: 'FETCH_ERROR' }),
    new ApiError({ kind: 'TIMEOUT_ERROR' }),
    new ApiError({ kind: 'PARSING_ERROR', status: 200 }),
    new ApiError({ kind: 'HTTP', status: 403, data: undefined }),
    new Error('anything'),
  ])('is unverified because the server was not reached, after %s', (error) => {
    expect(after('cs_1', [eventOfError(error)])).toEqual({ step: 'unverified', attempt: 1, retryInMs: 2_000, why: 'unreachable' })
  })

  it.each([...[401, 408, 426, 429, 500, 502, 503].map(refusal), new ApiError({ kind: 'HTTP', status: 502, data: undefined })])(
    'is unverified although the server was reached, after %s',
    (error) => {
      expect(after('cs_1', [eventOfError(error)])).toEqual({ step: 'unverified', attempt: 1, retryInMs: 2_000, why: 'unanswered' })
    },
  )

  it('waits longer before each new try, at most a minute', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 40].map((times) => {
      const state = after('cs_1', [...Array.from({ length: times - 1 }, () => [unanswered, retry]).flat(), unanswered])
      return state.step === 'unverified' ? state.retryInMs : undefined
    })
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  })

  it('waits as long as the server’s Retry-After, and at most a minute more', () => {
    const busy = new ApiError({ kind: 'HTTP', status: 503, retryAfterSeconds: 300 })
    expect(after('cs_1', [eventOfError(busy)])).toMatchObject({ retryInMs: 360_000 })
    vi.spyOn(Math, 'random').mockReturnValue(0)
    expect(after('cs_1', [eventOfError(busy)])).toMatchObject({ retryInMs: 300_000 })
  })

  it('can still complete after tries without a reply', () => {
    const answered: PaymentEvent = { type: 'answered', status: 'complete', assessmentInstanceId: 'i1' }
    expect(after('cs_1', [unanswered, retry, unanswered, retry, answered]).step).toBe('complete')
  })

  it('stays failed or complete whatever comes later', () => {
    expect(after('cs_1', [{ type: 'refused' }, retry, unanswered])).toEqual({ step: 'failed' })
    const complete: PaymentEvent = { type: 'answered', status: 'complete', assessmentInstanceId: 'i1' }
    expect(after('cs_1', [complete, unanswered, { type: 'refused' }]).step).toBe('complete')
  })

  it('ignores a retry while it is being verified', () => {
    expect(after('cs_1', [retry, retry])).toEqual({ step: 'verifying', attempt: 1 })
  })
})
