import { expect, test, vi } from 'vitest'
import { knownSettings } from '#app/api/use-settings.ts'

const settings = {
  mode: 'demo',
  cardPayments: { publishableKey: 'pk_test', script: null },
  minimumAge: 13,
  links: { website: '/w', videoChannel: '/v', learnMore: '/l', terms: null, privacy: null, contact: null },
}

test('settings refused with a 500 are requested again, although the connection was never lost', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  let requests = 0
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/health')) return Response.json({ status: 'ok', service: 'touchline' })
    requests += 1
    return requests < 3 ? Response.json({ code: 'INTERNAL', message: '', requestId: 'r' }, { status: 500 }) : Response.json(settings)
  })
  const listener = vi.fn()
  knownSettings.subscribe(listener)
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(knownSettings.get()).toMatchObject({ minimumAge: 13 })
  expect(listener).toHaveBeenCalledOnce()
  expect(requests).toBe(3)
  vi.useRealTimers()
})
