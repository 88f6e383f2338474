import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionOf } from '#app/screens/checkout/payment/use-checkout-session.ts'

const assign = vi.fn()

beforeEach(() => {
  vi.stubGlobal('location', { href: 'https://portal.test/checkout/a/payment', assign })
})

afterEach(() => {
  vi.unstubAllGlobals()
  assign.mockClear()
})

describe('a checkout session', () => {
  it('is ready when it has a client secret', () => {
    expect(sessionOf({ clientSecret: 'cs_1_secret_2', sessionId: 'cs_1', url: null })).toEqual({
      step: 'ready',
      clientSecret: 'cs_1_secret_2',
      sessionId: 'cs_1',
    })
    expect(assign).not.toHaveBeenCalled()
  })

  it('opens the provider’s own page when it has only a URL', () => {
    expect(sessionOf({ clientSecret: null, sessionId: 'cs_1', url: 'https://pay.test/c/1' })).toEqual({ step: 'leaving' })
    expect(assign).toHaveBeenCalledWith('https://pay.test/c/1')
  })

  it.each([
    { clientSecret: null, url: null },
    { clientSecret: null },
    { clientSecret: '', url: '' },
    { clientSecret: null, url: 'javascript:alert(1)' },
  ])('fails with %j', (opened) => {
    expect(() => sessionOf({ sessionId: 'cs_1', ...opened })).toThrow('No client secret available')
    expect(assign).not.toHaveBeenCalled()
  })
})
