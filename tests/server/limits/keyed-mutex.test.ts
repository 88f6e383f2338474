import { expect, test } from 'vitest'
import { createKeyedMutex } from '#server/limits/keyed-mutex.ts'

/** Work that ends when the test says so. */
function pieces() {
  const begun: string[] = []
  const end = new Map<string, () => void>()
  const work = (name: string) => async () => {
    begun.push(name)
    await new Promise<void>((resolve) => end.set(name, resolve))
    return name
  }
  return { begun, work, end: (name: string) => end.get(name)?.() }
}

test('runs the work of a key one piece at a time, in order of arrival, independently of other keys', async () => {
  const { begun, work, end } = pieces()
  const runExclusive = createKeyedMutex(5)
  const first = runExclusive('a', work('a1'))
  const second = runExclusive('a', work('a2'))
  const other = runExclusive('b', work('b1'))
  await Promise.resolve()
  expect(begun).toEqual(['a1', 'b1'])
  end('a1')
  expect(await first).toEqual({ done: 'a1' })
  expect(begun).toEqual(['a1', 'b1', 'a2'])
  end('a2')
  end('b1')
  expect([await second, await other]).toEqual([{ done: 'a2' }, { done: 'b1' }])
})

test('refuses work beyond the maximum, and accepts more when a piece is done', async () => {
  const { begun, work, end } = pieces()
  const runExclusive = createKeyedMutex(1)
  const first = runExclusive('a', work('a1'))
  const second = runExclusive('a', work('a2'))
  expect(await runExclusive('a', work('a3'))).toBe('full')
  end('a1')
  await first
  const fourth = runExclusive('a', work('a4'))
  end('a2')
  await second
  end('a4')
  expect(await fourth).toEqual({ done: 'a4' })
  expect(begun).toEqual(['a1', 'a2', 'a4'])
})

test('a piece that fails does not affect the others', async () => {
  const runExclusive = createKeyedMutex(5)
  const failing = runExclusive('a', () => Promise.reject(new Error('broken')))
  const next = runExclusive('a', async () => 'fine')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toEqual({ done: 'fine' })
})
