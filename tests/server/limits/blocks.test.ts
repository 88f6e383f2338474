import { expect, test } from 'vitest'
import { spendInBlocks } from '#server/limits/blocks.ts'

/** A shared store that has this many points for each key. */
function store(points: number) {
  const given = new Map<string, number>()
  let fetches = 0
  const fetch = (size: number) => async (key: string) => {
    fetches += 1
    const next = (given.get(key) ?? 0) + size
    given.set(key, next)
    return next <= points
  }
  return { fetch, fetches: () => fetches }
}

const countOf = (outcomes: boolean[]) => outcomes.filter(Boolean).length

test('spends a fetched block before fetching another, and never more than the limit', async () => {
  const { fetch, fetches } = store(60)
  const take = spendInBlocks(20, fetch(20))
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => take('a')))
  expect(countOf(outcomes)).toBe(60)
  // three blocks and one that was refused, after which nothing more is fetched
  expect(fetches()).toBe(4)
  expect(await take('b')).toBe(true)
})

test('two processes together never spend more than the limit', async () => {
  const { fetch } = store(60)
  const [here, there] = [spendInBlocks(20, fetch(20)), spendInBlocks(20, fetch(20))]
  const outcomes = await Promise.all(Array.from({ length: 200 }, (_, n) => (n % 2 ? here('a') : there('a'))))
  expect(countOf(outcomes)).toBe(60)
})

test('a failed fetch fails the calls that waited for it, and the next call fetches again', async () => {
  let isDown = true
  const take = spendInBlocks(2, async () => {
    if (isDown) throw new Error('down')
    return true
  })
  const outcomes = await Promise.allSettled([take('a'), take('a')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isDown = false
  expect(await take('a')).toBe(true)
})

test('forgets the oldest keys, so that many keys do not fill the memory', async () => {
  const { fetch, fetches } = store(Number.MAX_SAFE_INTEGER)
  const take = spendInBlocks(20, fetch(20))
  for (let n = 0; n <= 10_000; n += 1) await take(`key ${n}`)
  const before = fetches()
  await take('key 10000')
  expect(fetches()).toBe(before)
  await take('key 0')
  expect(fetches()).toBe(before + 1)
})
