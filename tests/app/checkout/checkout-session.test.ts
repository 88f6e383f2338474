import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionOf } from '#app/screens/checkout/payment/use-checkout-session.ts'

const leaveFor = vi.fn()

beforeEach(() => {
  vi.stubGlobal('location', { href: 'https://portal.test/checkout/a/payment' })
})

afterEach(() => {
  vi.unstubAllGlobals()
  leaveFor.mockClear()
})

describe('a checkout session', () => {
  it('is ready when it has a client secret', () => {
    expect(sessionOf({ clientSecret: 'cs_1_secret_2', sessionId: 'cs_1', url: null }, leaveFor)).toEqual({
      step: 'ready',
      clientSecret: 'cs_1_secret_2',
      sessionId: 'cs_1',
    })
    expect(leaveFor).not.toHaveBeenCalled()
  })

  it('opens the provider’s own page when it has only a URL', () => {
    expect(sessionOf({ clientSecret: null, sessionId: 'cs_1', url: 'https://pay.test/c/1' }, leaveFor)).toEqual({ step: 'leaving' })
    expect(leaveFor).toHaveBeenCalledWith('https://pay.test/c/1')
  })

  it.each([
    { clientSecret: null, url: null },
    { clientSecret: null },
    { clientSecret: '', url: '' },
    { clientSecret: null, url: 'javascript:alert(1)' },
  ])('fails with %j', (opened) => {
    expect(() => sessionOf({ sessionId: 'cs_1', ...opened }, leaveFor)).toThrow('No client secret available')
    expect(leaveFor).not.toHaveBeenCalled()
  })
})
