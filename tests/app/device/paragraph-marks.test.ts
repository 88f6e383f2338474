import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { countUnsentMarks, fetchMarks, markParagraph, readMarks, sendMarks } from '#app/device/paragraph-marks.ts'
import { hasUnwrittenHere } from '#app/device/sending/unwritten.ts'
import { unwrittenMarksOf } from '#app/device/sending/unwritten-in-tabs.ts'
import { db } from '#app/device/store/db.ts'
import { ApiError } from '#app/api/api-error.ts'
import { fakeStorage } from '#tests/support/storage.ts'
import { mergeMarks, type ParagraphMark } from '#contract/rules/paragraph-marks.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** A player's marks on this device, against a server that merges as the real one does. RESULTS-19 */

const server = vi.hoisted(() => ({
  marks: [] as { paragraph: string; mark: 'like' | 'partly' | 'not' | null; at: number }[],
  failure: undefined as unknown,
  calls: 0,
  whileSending: undefined as (() => Promise<void>) | undefined,
}))
vi.stubGlobal('sessionStorage', fakeStorage())
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('removeEventListener', () => undefined)
const owner = vi.hoisted(() => ({ isHere: true }))
vi.mock('#app/device/owner.ts', () => ({ mayStore: () => owner.isHere }))
vi.mock('#app/api/call.ts', () => ({
  call: async (endpoint: { method: string }, { body }: { body?: { marks: ParagraphMark[] } }) => {
    server.calls += 1
    if (server.failure) throw server.failure
    if (endpoint.method === 'PUT') server.marks = mergeMarks(body?.marks ?? [], server.marks)
    const reply = { marks: server.marks }
    await server.whileSending?.()
    return reply
  },
}))

const key = { userId: 'u1', instanceId: 'i1' }
const shown = async () => Object.fromEntries((await readMarks(key)).marks.map(({ paragraph, mark }) => [paragraph, mark]))
const onServer = () => Object.fromEntries(server.marks.map(({ paragraph, mark }) => [paragraph, mark]))

beforeEach(async () => {
  Object.assign(server, { marks: [], failure: undefined, calls: 0, whileSending: undefined })
  await db.open()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await db.delete()
})

it('a mark is on the device at the tap, and on the server once it is sent', async () => {
  await markParagraph(key, 'overview-1', 'like')
  expect([await shown(), await countUnsentMarks('u1'), server.calls]).toEqual([{ 'overview-1': 'like' }, 1, 0])
  await sendMarks('u1')
  expect([onServer(), await countUnsentMarks('u1')]).toEqual([{ 'overview-1': 'like' }, 0])
  await sendMarks('u1')
  expect(server.calls).toBe(1)
})

it('a removed mark stays removed', async () => {
  await markParagraph(key, 'overview-1', 'like')
  await sendMarks('u1')
  await markParagraph(key, 'overview-1', null)
  await fetchMarks(key)
  expect(await shown()).toEqual({ 'overview-1': null })
  await sendMarks('u1')
  expect(onServer()).toEqual({ 'overview-1': null })
})

it('a tap while the last one is being sent is sent next', async () => {
  await markParagraph(key, 'overview-1', 'like')
  server.whileSending = async () => {
    server.whileSending = undefined
    await markParagraph(key, 'overview-1', 'not')
    await markParagraph(key, 'overview-2', 'partly')
  }
  await sendMarks('u1')
  expect([await shown(), await countUnsentMarks('u1')]).toEqual([{ 'overview-1': 'not', 'overview-2': 'partly' }, 2])
  await sendMarks('u1')
  expect([onServer(), await countUnsentMarks('u1')]).toEqual([{ 'overview-1': 'not', 'overview-2': 'partly' }, 0])
})

it('another device’s later marks are merged, and this one’s later marks stay', async () => {
  await markParagraph(key, 'overview-1', 'like')
  await markParagraph(key, 'overview-2', 'like')
  const far = Date.now() + 60_000
  server.marks = [
    { paragraph: 'overview-1', mark: 'not', at: far },
    { paragraph: 'overview-2', mark: 'not', at: 1 },
  ]
  await fetchMarks(key)
  expect(await shown()).toEqual({ 'overview-1': 'not', 'overview-2': 'like' })
  await sendMarks('u1')
  expect(onServer()).toEqual({ 'overview-1': 'not', 'overview-2': 'like' })
  expect(await countUnsentMarks('u1')).toBe(0)
  // a change of the other device's mark counts, although that device's clock is ahead
  await markParagraph(key, 'overview-1', 'partly')
  await sendMarks('u1')
  expect(onServer()).toMatchObject({ 'overview-1': 'partly' })
})

it('without a server marks wait, and a refused one is not sent again before the next tap', async () => {
  await markParagraph(key, 'overview-1', 'like')
  server.failure = new ApiError({ kind: 'FETCH_ERROR' })
  await expect(sendMarks('u1')).rejects.toThrow('FETCH_ERROR')
  expect(await countUnsentMarks('u1')).toBe(1)
  server.failure = new ApiError({ kind: 'HTTP', status: 404, data: { code: 'NOT_FOUND', message: '', requestId: 'r' } })
  await sendMarks('u1')
  await sendMarks('u1')
  expect([server.calls, (await readMarks(key)).refusal, await countUnsentMarks('u1')]).toEqual([2, 'NOT_FOUND', 1])
  server.failure = undefined
  await markParagraph(key, 'overview-2', 'not')
  await sendMarks('u1')
  expect([onServer(), (await readMarks(key)).refusal]).toEqual([{ 'overview-1': 'like', 'overview-2': 'not' }, undefined])
})

it('if the disk refuses a mark, it is shown as unwritten and sent', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const put = vi.spyOn(db.reads, 'put').mockRejectedValue(new Error('full'))
  await markParagraph(key, 'overview-1', 'like')
  expect([await shown(), (await readMarks(key)).isUnwritten, await countUnsentMarks('u1')]).toEqual([{ 'overview-1': 'like' }, true, 1])
  await sendMarks('u1')
  expect([onServer(), (await readMarks(key)).isUnwritten, await countUnsentMarks('u1')]).toEqual([{ 'overview-1': 'like' }, false, 0])
  put.mockRestore()
  await markParagraph(key, 'overview-2', 'not')
  expect(await shown()).toEqual({ 'overview-1': 'like', 'overview-2': 'not' })
})

it('marks of two tabs at the same moment are both stored', async () => {
  await Promise.all([markParagraph(key, 'overview-1', 'like'), markParagraph(key, 'overview-2', 'not')])
  expect(await shown()).toEqual({ 'overview-1': 'like', 'overview-2': 'not' })
})

it('marks that a restored backup has lost are sent again', async () => {
  await markParagraph(key, 'overview-1', 'like')
  await sendMarks('u1')
  server.marks = []
  await fetchMarks(key)
  expect([await shown(), await countUnsentMarks('u1')]).toEqual([{ 'overview-1': 'like' }, 1])
  await sendMarks('u1')
  expect([onServer(), await countUnsentMarks('u1')]).toEqual([{ 'overview-1': 'like' }, 0])
})

it('a reply without the mark that was sent counts as a refusal', async () => {
  await markParagraph(key, 'overview-1', 'like')
  server.whileSending = async () => {
    server.marks.length = 0
  }
  await sendMarks('u1')
  await sendMarks('u1')
  expect([await shown(), await countUnsentMarks('u1'), server.calls]).toEqual([{ 'overview-1': 'like' }, 1, 1])
  expect((await readMarks(key)).refusal).toBe('UNEXPECTED')
})

it('is written as soon as the disk has room again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const put = vi.spyOn(db.reads, 'put').mockRejectedValue(new Error('full'))
  await markParagraph(key, 'overview-1', 'like')
  await vi.advanceTimersByTimeAsync(3000)
  expect([unwrittenMarksOf('u1'), hasUnwrittenHere()]).toEqual([1, true])
  put.mockRestore()
  await vi.advanceTimersByTimeAsync(3000)
  vi.useRealTimers()
  await waitFor(() => expect(unwrittenMarksOf('u1')).toBe(0))
  expect([hasUnwrittenHere(), (await db.reads.toArray()).length, await shown()]).toEqual([false, 1, { 'overview-1': 'like' }])
})

it('quick taps on a full disk are all shown and sent', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const put = vi.spyOn(db.reads, 'put').mockRejectedValue(new Error('full'))
  const paragraphs = ['overview-1', 'overview-2', 'overview-3']
  await Promise.all(paragraphs.map((paragraph) => markParagraph(key, paragraph, 'like')))
  const all = { 'overview-1': 'like', 'overview-2': 'like', 'overview-3': 'like' }
  expect(await shown()).toEqual(all)
  await sendMarks('u1')
  expect(onServer()).toEqual(all)
  put.mockRestore()
  await fetchMarks(key)
  expect((await readMarks(key)).isUnwritten).toBe(false)
})

it('a reply that was in flight when the player tapped undoes nothing', async () => {
  server.whileSending = async () => {
    server.whileSending = undefined
    await markParagraph(key, 'overview-1', 'like')
    await sendMarks('u1')
  }
  await fetchMarks(key)
  expect(await shown()).toEqual({ 'overview-1': 'like' })
})

it('a reply that arrives after signing out stores nothing', async () => {
  await markParagraph(key, 'overview-1', 'like')
  server.whileSending = async () => {
    owner.isHere = false
    await db.reads.clear()
  }
  await sendMarks('u1')
  await fetchMarks(key)
  await markParagraph(key, 'overview-2', 'like')
  owner.isHere = true
  expect(await db.reads.toArray()).toEqual([])
})
