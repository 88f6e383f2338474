import { expect, test } from 'vitest'
import { countInBlocks } from '#server/limits/blocks.ts'

/** A shared store that allows this many events for each key. */
function store(maximum: number) {
  const given = new Map<string, number>()
  let blocks = 0
  const takeBlock = async (key: string, size: number) => {
    blocks += 1
    const next = (given.get(key) ?? 0) + size
    given.set(key, next)
    return next <= maximum
  }
  return { takeBlock, blocks: () => blocks }
}

const countOf = (outcomes: boolean[]) => outcomes.filter(Boolean).length

test('uses up a block before taking another, and never allows more than the maximum', async () => {
  const { takeBlock, blocks } = store(60)
  const take = countInBlocks(20, takeBlock)
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => take('a')))
  expect(countOf(outcomes)).toBe(60)
  // the first in parts of 3, 3, 6 and 8, two whole ones, and one that was refused, after which no more are taken
  expect(blocks()).toBe(7)
  expect(await take('b')).toBe(true)
})

test('two processes together never allow more than the maximum', async () => {
  const { takeBlock } = store(60)
  const [here, there] = [countInBlocks(20, takeBlock), countInBlocks(20, takeBlock)]
  const outcomes = await Promise.all(Array.from({ length: 200 }, (_, n) => (n % 2 ? here('a') : there('a'))))
  expect(countOf(outcomes)).toBe(60)
})

test('a process that is started thirty times leaves most of the limit', async () => {
  const { takeBlock } = store(600)
  for (let start = 0; start < 30; start += 1) expect(await countInBlocks(20, takeBlock)('a')).toBe(true)
  const take = countInBlocks(20, takeBlock)
  const outcomes = await Promise.all(Array.from({ length: 600 }, () => take('a')))
  expect(countOf(outcomes)).toBe(500)
})

test('a failed statement fails the calls that waited for it, and the next call tries again', async () => {
  let isDown = true
  const take = countInBlocks(2, async () => {
    if (isDown) throw new Error('down')
    return true
  })
  const outcomes = await Promise.allSettled([take('a'), take('a')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isDown = false
  expect(await take('a')).toBe(true)
})

test('forgets the oldest keys, so that many keys do not fill the memory', async () => {
  const { takeBlock, blocks } = store(Number.MAX_SAFE_INTEGER)
  const take = countInBlocks(20, takeBlock)
  for (let n = 0; n <= 10_000; n += 1) await take(`key ${n}`)
  const before = blocks()
  await take('key 10000')
  expect(blocks()).toBe(before)
  await take('key 0')
  expect(blocks()).toBe(before + 1)
})
