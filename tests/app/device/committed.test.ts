import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { devicePort } from '#app/device/sending/device-port.ts'
import { db } from '#app/device/store/db.ts'
import { readRows, restoreInstance, storeInstance, restoreLate, writeAnswer } from '#app/device/store/device-store.ts'
import { operationOf, unsentOf, type AnswerRow } from '#app/sync/sync.ts'
import type { Instance } from '#contract/instances.ts'

/**
 * Nothing counts as written before its transaction is committed: a successful put is undone if the disk is full at the commit, or
 * the browser ends in between. For both APIs: plain IndexedDB for a tap, Dexie for everything else.
 */

const key = { userId: 'u1', instanceId: 'i1' }
const row = (edit: string): AnswerRow => ({ questionId: 'q1', sectionName: 'Section1', value: { q1: '1' }, edit, base: 0 })
const instance = {
  ...key,
  status: 'IN_PROGRESS',
  contentVersion: 'v1',
  revision: 1,
  sections: [],
  responses: [],
  groups: [],
  hash: '',
} as unknown as Instance // only the fields that the store writes

/** From now on every put succeeds, and its transaction is aborted at once. */
function abortAfterPut(): void {
  // a requested commit has not happened yet
  vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(() => undefined)
  const put = IDBObjectStore.prototype.put
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function aborted(this: IDBObjectStore, ...given) {
    const request = put.apply(this, given)
    const { transaction } = this
    // other listeners still get the event
    request.addEventListener('success', () => transaction.abort())
    return request
  })
}

beforeEach(async () => {
  await db.open()
  await storeInstance(key.userId, 'en', instance, { at: 0, hadEnded: false })
  await writeAnswer(key, row('before'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await db.delete()
})

it('a tap whose transaction is aborted after its put is rejected and not stored', async () => {
  abortAfterPut()
  await expect(writeAnswer(key, row('after'))).rejects.toThrow()
  vi.restoreAllMocks()
  expect((await readRows(key)).answers).toMatchObject([{ edit: 'before' }])
})

describe('a write by Dexie whose transaction is aborted', () => {
  const operation = operationOf([row('before')], { id: 'o1', instanceId: 'i1', deviceId: 'd1', contentVersion: 'v1' })
  const changed = vi.fn<() => void>()
  const device = devicePort(key, changed)

  it.each([
    [
      'an acknowledgement',
      () => device.acknowledge({ operation, accepted: [{ questionId: 'q1', revision: 1 }], superseded: [], revision: 1, at: 0 }),
    ],
    ['an operation, before it is sent', () => device.storeOperation(operation)],
    ['a step of Submit', () => device.setFinish('complete')],
    ['a refusal', () => device.setTrouble({ code: 'INVALID_ANSWER', at: 0 })],
    ['an instance read from the server', () => storeInstance(key.userId, 'fr', instance, { at: 1, hadEnded: false })],
  ])('%s: rejects, announces nothing and changes nothing', async (_, write) => {
    changed.mockClear()
    const before = await everything()
    abortAfterPut()
    await expect(write()).rejects.toThrow()
    expect(changed).not.toHaveBeenCalled()
    vi.restoreAllMocks()
    expect(await everything()).toEqual(before)
    expect(unsentOf(await readRows(key))).toHaveLength(1)
  })

  it('the answers on screen, restored to an empty disk: rejects and stores nothing', async () => {
    await db.instances.clear()
    const ready = { sections: [], language: 'en', instance: { ...key, languages: [] } } as unknown as Parameters<typeof restoreInstance>[0]
    abortAfterPut()
    await expect(restoreInstance(ready, { answers: [], receipts: [], late: [] })).rejects.toThrow()
    vi.restoreAllMocks()
    expect(await db.instances.count()).toBe(0)
  })

  it('a displaced answer that its owner restores: rejects and changes nothing', async () => {
    await db.late.put({ ...key, questionId: 'q1', value: { q1: '2' } })
    abortAfterPut()
    await expect(restoreLate(key, { questionId: 'q1', value: { q1: '2' } })).rejects.toThrow()
    vi.restoreAllMocks()
    expect(await readRows(key)).toMatchObject({ answers: [{ edit: 'before' }], late: [{ questionId: 'q1' }] })
  })

  const everything = () => Promise.all(db.tables.map((table) => table.toArray()))
})
