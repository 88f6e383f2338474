import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCallSlots, type CallSlotsOptions, type Rank } from '#server/http/call-slots.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Slots whose calls last until they are told to end. */
function begin(options: CallSlotsOptions) {
  const refused: Rank[] = []
  const callSlots = createCallSlots((rank) => refused.push(rank), options)
  const running: { name: string; end: () => void }[] = []
  const outcomes: Record<string, string> = {}
  const call = (rank: Rank, name: string) => {
    const work = () => new Promise<void>((resolve) => running.push({ name, end: resolve }))
    callSlots.run(rank, work).then(
      () => (outcomes[name] = 'done'),
      (error: { code: string; detail: unknown }) => (outcomes[name] = `${error.code} ${JSON.stringify(error.detail)}`),
    )
  }
  const end = async (name: string) => {
    const at = running.findIndex((one) => one.name === name)
    running.splice(at, 1)[0]?.end()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { callSlots, refused, outcomes, call, end, names: () => running.map(({ name }) => name) }
}

test('a call runs at once while a slot is free, otherwise when the next one is', async () => {
  const { call, end, names, callSlots } = begin({ count: 2 })
  for (const name of ['a', 'b', 'c']) call('others', name)
  expect(names()).toEqual(['a', 'b'])
  expect(callSlots.count()).toEqual({ running: 2, waiting: 1 })
  await end('a')
  expect(names()).toEqual(['b', 'c'])
  for (const name of ['b', 'c']) await end(name)
  expect(callSlots.count()).toEqual({ running: 0, waiting: 0 })
})

test('a call that has waited too long is refused with a time to retry, and nothing was done', async () => {
  const { call, end, names, outcomes, refused, callSlots } = begin({ count: 1, waitMs: 1000 })
  call('others', 'long')
  call('lists', 'early')
  await vi.advanceTimersByTimeAsync(600)
  call('lists', 'late')
  await vi.advanceTimersByTimeAsync(399)
  expect(outcomes).toEqual({})
  await vi.advanceTimersByTimeAsync(1)
  expect(outcomes).toEqual({ early: 'OVERLOADED {"retryAfter":5}' })
  expect(refused).toEqual(['lists'])
  await end('long')
  expect(names()).toEqual(['late'])
  await vi.advanceTimersByTimeAsync(5000)
  expect(callSlots.count()).toEqual({ running: 1, waiting: 0 })
})

test('once a call has waited for a whole second, new calls are refused sooner, until none waits', async () => {
  const { call, end, outcomes } = begin({ count: 1, waitMs: 1000, shortWaitMs: 100 })
  call('others', 'long')
  for (let count = 0; count < 11; count += 1) {
    call('lists', `early ${count}`)
    await vi.advanceTimersByTimeAsync(100)
  }
  call('lists', 'late')
  call('begun', 'let in')
  await vi.advanceTimersByTimeAsync(100)
  expect(Object.keys(outcomes)).toEqual(['early 0', 'early 1', 'early 2', 'late'])
  await end('long')
  await end('let in')
  for (let count = 10; count > 2; count -= 1) await end(`early ${count}`)
  call('lists', 'calm again')
  call('lists', 'waits')
  await vi.advanceTimersByTimeAsync(999)
  expect(outcomes).not.toHaveProperty('waits')
  await vi.advanceTimersByTimeAsync(1)
  expect(outcomes).toHaveProperty('waits')
})

test('calls let in before go first, then answers, and lists last; within a rank the newest goes first', async () => {
  const { call, end, names } = begin({ count: 1 })
  call('others', 'now')
  const ranks: Rank[] = ['lists', 'pictures', 'payments', 'codes', 'others', 'answers', 'begun']
  for (const rank of ranks) for (const turn of [1, 2]) call(rank, `${rank} ${turn}`)
  const order: string[] = []
  for (let count = 0; count < 2 * ranks.length; count += 1) {
    await end(names()[0] ?? '')
    order.push(...names())
  }
  const kinds = ['begun', 'answers', 'others', 'codes', 'payments', 'pictures', 'lists']
  expect(order).toEqual(kinds.flatMap((rank) => [`${rank} 2`, `${rank} 1`]))
})

test('calls that wait for an outside service share some of the slots and take no others', async () => {
  const { call, end, names } = begin({ count: 3, shares: { codes: 1 } })
  call('codes', 'first')
  call('codes', 'second')
  for (const name of ['a', 'b', 'c']) call('lists', name)
  expect(names()).toEqual(['first', 'a', 'b'])
  await end('a')
  expect(names()).toEqual(['first', 'b', 'c'])
  await end('first')
  expect(names()).toEqual(['b', 'c', 'second'])
})

test('a card provider that does not reply leaves sign-ins, answers and pictures their slots', () => {
  const { call, names } = begin({})
  for (let count = 0; count < 100; count += 1) call('payments', 'card')
  for (const rank of ['codes', 'answers', 'pictures'] as const) call(rank, rank)
  expect(names().slice(-3)).toEqual(['codes', 'answers', 'pictures'])
})

test('a call that fails frees its slot', async () => {
  const { callSlots } = begin({ count: 1 })
  await expect(callSlots.run('others', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(callSlots.count()).toEqual({ running: 0, waiting: 0 })
})

test('a call whose credentials were checked continues before those that wait', async () => {
  const { call, names, callSlots } = begin({ count: 1 })
  let known = () => {}
  const identified = callSlots.run('lists', () => new Promise<void>((resolve) => (known = resolve)))
  call('answers', 'later')
  void identified.then(() => call('begun', 'goes on'))
  known()
  await vi.advanceTimersByTimeAsync(0)
  expect(names()).toEqual(['goes on'])
})
