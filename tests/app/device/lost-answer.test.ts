import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { db } from '#app/device/store/db.ts'
import { readRows, storeInstance, writeAnswer } from '#app/device/store/device-store.ts'
import { unsentOf } from '#app/sync/sync.ts'
import type { Instance } from '#contract/instances.ts'

/** A browser that evicts data, or a broken disk, may lose single rows. */

const key = { userId: 'u1', instanceId: 'i1' }
const question = (id: string) => ({ id, question: id, subQuestions: [], options: [] })
const instance = {
  ...key,
  status: 'IN_PROGRESS',
  contentVersion: 'v1',
  revision: 1,
  sections: [{ name: 'Section1', type: 'ipsative', sectionOptions: [], questions: [question('q1'), question('q2')] }],
  responses: [
    { id: 'q1', answer: '1' },
    { id: 'q2', answer: '2' },
  ],
  groups: [
    { questionId: 'q1', revision: 1 },
    { questionId: 'q2', revision: 1 },
  ],
  hash: '',
} as unknown as Instance // only the fields that the store writes

const values = async () => (await readRows(key)).answers.map(({ value }) => value)

beforeEach(async () => {
  await db.open()
  await storeInstance(key.userId, 'en', instance, { at: 0, hadEnded: false })
})
afterEach(() => db.delete())

it('an answer lost without its receipt comes back from the account', async () => {
  await db.answers.delete(['u1', 'i1', 'q1'])
  expect(await values()).toEqual([{ q2: '2' }])
  await storeInstance(key.userId, 'en', instance, { at: 1, hadEnded: false })
  expect(await values()).toEqual([{ q1: '1' }, { q2: '2' }])
  expect(unsentOf(await readRows(key))).toEqual([])
})

it('an answer given again since then stays, and is sent', async () => {
  await db.answers.delete(['u1', 'i1', 'q1'])
  await writeAnswer(key, { questionId: 'q1', sectionName: 'Section1', value: { q1: '3' }, edit: 'e1', base: 0 })
  await storeInstance(key.userId, 'en', instance, { at: 1, hadEnded: false })
  expect(await values()).toEqual([{ q1: '3' }, { q2: '2' }])
  expect(unsentOf(await readRows(key))).toMatchObject([{ edit: 'e1' }])
})
