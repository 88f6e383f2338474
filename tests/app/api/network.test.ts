import { expect, test, vi } from 'vitest'
import { createNetwork } from '#app/api/network.ts'
import { waitFor } from '#tests/support/wait-for.ts'

const good = () => Response.json({ status: 'ok', service: 'touchline' })

function networkWith(reply: () => Response | Promise<Response>) {
  const clock = { now: 0, waits: [] as number[], timers: [] as (() => void)[] }
  const ports = { reply, probes: 0, isOnLine: true }
  const network = createNetwork({
    fetch: async () => {
      ports.probes += 1
      return ports.reply()
    },
    isOnLine: () => ports.isOnLine,
    now: () => clock.now,
    setTimeout: (run, ms) => {
      clock.waits.push(ms)
      return clock.timers.push(run)
    },
    clearTimeout: () => undefined,
    random: () => 1,
  })
  return { network, ports, clock }
}

test('the API counts as reachable before the first reply and after a good one', async () => {
  const { network } = networkWith(good)
  expect(network.isReachable()).toBe(true)
  expect(await network.probe()).toBe(true)
  expect(network.state()).toBe('online')
})

test.each<[string, () => Response | Promise<Response>]>([
  ['a captive portal’s page with status 200', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['a health reply of another service', () => Response.json({ status: 'ok' })],
  ['503', () => Response.json({ status: 'ok', service: 'touchline' }, { status: 503 })],
  ['no reply', () => Promise.reject(new TypeError('Failed to fetch'))],
])('%s means offline', async (_, reply) => {
  const { network } = networkWith(reply)
  expect(await network.probe()).toBe(false)
  expect(network.state()).toBe('offline')
})

test('a slow reply means a weak connection', async () => {
  const { network, ports, clock } = networkWith(good)
  ports.reply = () => {
    clock.now += 2000
    return good()
  }
  await network.probe()
  expect([network.state(), network.isReachable()]).toEqual(['weak', true])
})

test('an unreachable API is probed again, at most every 10 s, and its return is announced once', async () => {
  const { network, ports, clock } = networkWith(() => Promise.reject(new TypeError()))
  const reached = vi.fn<() => void>()
  network.onReachable(reached)
  await network.probe()
  for (let round = 0; round < 6; round++) {
    clock.timers.at(-1)?.()
    await network.probe()
  }
  expect(clock.waits.slice(0, 7)).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000, 10_000])
  ports.reply = good
  clock.timers.at(-1)?.()
  await network.probe()
  expect(reached).toHaveBeenCalledTimes(1)
  expect(clock.waits).toHaveLength(7)
})

test('probes at the same time are one call', async () => {
  const { network, ports } = networkWith(good)
  network.noteFailure()
  await Promise.all([network.probe(), network.probe()])
  expect(ports.probes).toBe(1)
})

test('a failure noted during a probe leads to one more probe', async () => {
  const replies: ((response: Response | Promise<never>) => void)[] = []
  const { network, ports } = networkWith(() => new Promise<Response>((resolve) => replies.push(resolve)))
  const first = network.probe()
  network.recheck()
  network.noteFailure()
  replies[0]?.(good())
  await first
  expect(network.state()).toBe('online')
  await waitFor(() => expect(replies).toHaveLength(2))
  replies[1]?.(Promise.reject(new TypeError('Failed to fetch')))
  await waitFor(() => expect(network.state()).toBe('offline'))
  expect(ports.probes).toBe(2)
})

test('a good reply while the browser says offline is probed again until the two agree', async () => {
  const { network, ports, clock } = networkWith(good)
  ports.isOnLine = false
  await network.probe()
  expect(network.state()).toBe('online')
  expect(clock.waits).toEqual([1000])
  ports.reply = () => Promise.reject(new TypeError('Failed to fetch'))
  clock.timers.at(-1)?.()
  await network.probe()
  expect(network.state()).toBe('offline')
  Object.assign(ports, { reply: good, isOnLine: true })
  await network.probe()
  expect([network.state(), clock.waits]).toEqual(['online', [1000, 2000]])
})
