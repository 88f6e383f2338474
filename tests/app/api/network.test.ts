import { expect, test, vi } from 'vitest'
import { createNetwork } from '#app/api/network.ts'

const good = () => Response.json({ status: 'ok', service: 'touchline' })

function bench(answer: () => Response | Promise<Response>) {
  const clock = { now: 0, waits: [] as number[], timers: [] as (() => void)[] }
  const ports = { answer, asked: 0, isOnLine: true }
  const network = createNetwork({
    fetch: async () => {
      ports.asked += 1
      return ports.answer()
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

test('reachable before the first answer, and after a good one', async () => {
  const { network } = bench(good)
  expect(network.isReachable()).toBe(true)
  expect(await network.probe()).toBe(true)
  expect(network.state()).toBe('online')
})

test.each<[string, () => Response | Promise<Response>]>([
  ['a portal’s page with status 200', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['somebody else’s health', () => Response.json({ status: 'ok' })],
  ['503', () => Response.json({ status: 'ok', service: 'touchline' }, { status: 503 })],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
])('%s is offline, and the library hears of it', async (_, answer) => {
  const { network, ports } = bench(answer)
  expect(await network.probe()).toBe(false)
  expect(network.state()).toBe('offline')
  ports.answer = good
  await network.probe()
})

test('a slow answer is a weak connection', async () => {
  const { network, ports, clock } = bench(good)
  ports.answer = () => {
    clock.now += 2000
    return good()
  }
  await network.probe()
  expect([network.state(), network.isReachable()]).toEqual(['weak', true])
})

test('asks again by itself, at most every 10 s, until it is answered; then tells once', async () => {
  const { network, ports, clock } = bench(() => Promise.reject(new TypeError()))
  const reached = vi.fn<() => void>()
  network.onReachable(reached)
  await network.probe()
  for (let round = 0; round < 6; round++) {
    clock.timers.at(-1)?.()
    await network.probe()
  }
  expect(clock.waits.slice(0, 7)).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000, 10_000])
  ports.answer = good
  clock.timers.at(-1)?.()
  await network.probe()
  expect(reached).toHaveBeenCalledTimes(1)
  expect(clock.waits).toHaveLength(7)
})

test('probes that meet are one', async () => {
  const { network, ports } = bench(good)
  network.noteFailure()
  await Promise.all([network.probe(), network.probe()])
  expect(ports.asked).toBe(1)
})

test('the connection goes while a probe is under way that still succeeds: it is asked once more', async () => {
  const answers: ((response: Response | Promise<never>) => void)[] = []
  const { network, ports } = bench(() => new Promise<Response>((resolve) => answers.push(resolve)))
  const first = network.probe()
  network.look()
  network.noteFailure()
  answers[0]?.(good())
  await first
  expect(network.state()).toBe('online')
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.(Promise.reject(new TypeError('Failed to fetch')))
  await vi.waitFor(() => expect(network.state()).toBe('offline'))
  expect(ports.asked).toBe(2)
})

test('answered while the browser says that there is no connection: asked again until they agree', async () => {
  const { network, ports, clock } = bench(good)
  ports.isOnLine = false
  await network.probe()
  expect(network.state()).toBe('online')
  expect(clock.waits).toEqual([1000])
  ports.answer = () => Promise.reject(new TypeError('Failed to fetch'))
  clock.timers.at(-1)?.()
  await network.probe()
  expect(network.state()).toBe('offline')
  Object.assign(ports, { answer: good, isOnLine: true })
  await network.probe()
  expect([network.state(), clock.waits]).toEqual(['online', [1000, 2000]])
})
