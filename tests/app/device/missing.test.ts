import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { discardAll, lossOf } from '#app/device/discard.ts'
import { devicePort } from '#app/device/sending/device-port.ts'
import { fetchAndStoreInstance } from '#app/device/fetch-instance.ts'
import { db } from '#app/device/store/db.ts'
import { forgetAcknowledged, storeInstance } from '#app/device/store/dexie-instances.ts'
import { unsentOf } from '#app/sync/sync.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'

/** A server restored from a backup older than the instance: nothing of the instance counts as saved to the account. ANSWERS-17 */

const key = { userId: 'u1', instanceId: 'i1' }
const given = vi.hoisted(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
  return { call: vi.fn<() => Promise<unknown>>() }
})
vi.mock('#app/api/call.ts', () => given)
vi.mock('#app/device/owner.ts', () => ({ mayStore: () => true, mayStoreReads: () => true }))
vi.mock('#app/device/content-words.ts', () => ({ currentContent: undefined }))

const refusal = (code: string) => new ApiError({ kind: 'HTTP', status: 404, data: { code, message: '', requestId: 'r' } })

async function fill(status: InstanceStatus = 'IN_PROGRESS'): Promise<void> {
  await db.instances.put({ ...key, summary: { status, revision: 2 }, languages: ['en'], finish: null, trouble: null } as never)
  await db.definitions.put({ ...key, language: 'en', sections: [] })
  for (const [questionId, edit] of Object.entries({ q1: 'sent', q2: 'unsent' }))
    await db.answers.put({ ...key, questionId, sectionName: 'Section1', value: { [questionId]: '1' }, edit, base: 0, order: 1 })
  for (const questionId of ['q1', 'q2']) await db.receipts.put({ ...key, questionId, edit: 'sent', revision: 1 })
}

const unsent = async () =>
  unsentOf({ answers: await db.answers.toArray(), receipts: await db.receipts.toArray() }).map(({ questionId }) => questionId)
const trouble = async () => (await db.instances.get(['u1', 'i1']))?.trouble

beforeEach(() => db.open())
afterEach(async () => {
  await Promise.all(db.tables.map((table) => table.clear()))
})

it('acknowledged answers become unsent again, with the reason, once the server says that it has no such instance', async () => {
  await fill()
  given.call.mockRejectedValue(refusal('NOT_FOUND'))
  await expect(fetchAndStoreInstance('u1', 'i1', 'en')).rejects.toBeInstanceOf(ApiError)
  expect(await unsent()).toEqual(['q1', 'q2'])
  expect(await trouble()).toMatchObject({ code: 'NOT_FOUND' })
  expect(await forgetAcknowledged(key, 2)).toBe(false)
})

it('the same if a save is refused for this reason', async () => {
  await fill()
  await devicePort(key, () => undefined).setTrouble({ code: 'NOT_FOUND', at: 1 })
  expect(await unsent()).toEqual(['q1', 'q2'])
  expect(await trouble()).toMatchObject({ code: 'NOT_FOUND' })
})

it('another refusal of a save changes nothing that was acknowledged', async () => {
  await fill()
  await devicePort(key, () => undefined).setTrouble({ code: 'INVALID_ANSWER', at: 1, edits: ['unsent'] })
  expect(await unsent()).toEqual(['q2'])
})

it.each([new ApiError({ kind: 'HTTP', status: 404, data: '<html>' }), refusal('FORBIDDEN'), new ApiError({ kind: 'FETCH_ERROR' })])(
  'a proxy’s 404, another refusal and no reply change nothing: %s',
  async (error) => {
    await fill()
    given.call.mockRejectedValue(error)
    await expect(fetchAndStoreInstance('u1', 'i1', 'en')).rejects.toBe(error)
    expect(await unsent()).toEqual(['q2'])
    expect(await trouble()).toBeNull()
  },
)

it('an instance that has ended stays as it is', async () => {
  await fill('COMPLETED')
  expect(await forgetAcknowledged(key, 1)).toBe(false)
  expect(await unsent()).toEqual(['q2'])
})

it('an instance that the server has again is not missing any more', async () => {
  await fill()
  await forgetAcknowledged(key, 1)
  const instance = { instanceId: 'i1', status: 'IN_PROGRESS', revision: 2, sections: [], responses: [], groups: [] }
  await storeInstance('u1', 'en', instance as never, { at: 3, hadEnded: false })
  expect(await trouble()).toBeNull()
  expect(await unsent()).toEqual(['q1', 'q2'])
})

it('an instance completed before a restore no longer waits once the server has it completed again', async () => {
  await fill()
  await forgetAcknowledged(key, 1)
  const sections = [{ name: 'Section1', questions: ['q1', 'q2'].map((id) => ({ id, subQuestions: [] })) }]
  const account = {
    instanceId: 'i1',
    status: 'COMPLETED',
    revision: 2,
    sections,
    responses: ['q1', 'q2'].map((id) => ({ id, answer: '1' })),
    groups: ['q1', 'q2'].map((questionId) => ({ questionId, revision: 1 })),
  }
  await storeInstance('u1', 'en', account as never, { at: 3, hadEnded: false })
  expect(await unsent()).toEqual([])
  expect(await trouble()).toBeNull()
})

it('answers that wait for a missing instance can be discarded, and only those that were named are lost', async () => {
  await fill()
  const loss = await lossOf(key, 'en')
  expect(loss.unsent.map(({ questionId }) => questionId)).toEqual(['q2'])
  given.call.mockRejectedValue(refusal('NOT_FOUND'))
  await discardAll(key, 'en', loss, false)
  expect((await db.answers.toArray()).map(({ questionId }) => questionId)).toEqual(['q1'])
  expect(await unsent()).toEqual(['q1'])
})
