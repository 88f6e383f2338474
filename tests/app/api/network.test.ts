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

const html = (status: number) => new Response('<html>', { status, headers: { 'content-type': 'text/html' } })
const cut = () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }))

test.each<[string, () => Response | Promise<Response>, boolean]>([
  ['a captive portal’s page with status 200', () => html(200), true],
  ['a captive portal’s page with status 511', () => html(511), true],
  ['a filter’s page with status 403', () => html(403), true],
  ['a health reply of another service', () => Response.json({ status: 'ok' }), true],
  ['503', () => Response.json({ status: 'ok', service: 'touchline' }, { status: 503 }), false],
  ['a proxy’s page for a server that is down', () => html(502), false],
  ['a refusal of our server', () => Response.json({ code: 'X', message: '', requestId: 'r' }, { status: 429 }), false],
  ['a cut reply', cut, false],
  ['no reply', () => Promise.reject(new TypeError('Failed to fetch')), false],
])('%s means offline, and whether something replies in the server’s place', async (_, reply, isReplaced) => {
  const { network, ports } = networkWith(reply)
  expect(await network.probe()).toBe(false)
  expect([network.state(), network.isReplaced()]).toEqual(['offline', isReplaced])
  ports.reply = good
  await network.probe()
  expect([network.state(), network.isReplaced()]).toEqual(['online', false])
})

test('a portal that takes the place of a missing connection is reported, and not as a return', async () => {
  const { network, ports } = networkWith(() => Promise.reject(new TypeError('Failed to fetch')))
  const changed = vi.fn<() => void>()
  const reached = vi.fn<() => void>()
  await network.probe()
  network.subscribe(changed)
  network.onReachable(reached)
  ports.reply = () => html(200)
  await network.probe()
  expect([network.isReplaced(), changed.mock.calls.length, reached.mock.calls.length]).toEqual([true, 1, 0])
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
  network.recheck()
  await Promise.all([network.probe(), network.probe()])
  expect(ports.probes).toBe(1)
})

test('hints at a change during a probe lead to one more probe', async () => {
  const replies: ((response: Response | Promise<never>) => void)[] = []
  const { network, ports } = networkWith(() => new Promise<Response>((resolve) => replies.push(resolve)))
  const first = network.probe()
  network.recheck()
  network.recheck()
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
