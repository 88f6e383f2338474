import 'fake-indexeddb/auto'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { clearRows } from '#app/device/store/clear-rows.ts'
import { db } from '#app/device/store/db.ts'
import { acknowledge, complete, discardUnsent, setTrouble } from '#app/device/store/dexie-answers.ts'
import { stateBeforeFetch } from '#app/device/store/idb.ts'
import { storeInstance } from '#app/device/store/dexie-instances.ts'
import { instanceStored } from '#app/device/store/store-events.ts'

afterEach(async () => {
  await Promise.all(db.tables.map((table) => table.clear()))
})

const instance = (instanceId: string) => ({ userId: 'u1', instanceId, summary: {}, languages: [] }) as never

it('a stored instance is announced once it is committed, and not if the disk aborts the transaction', async () => {
  let events = 0
  instanceStored.subscribe(() => {
    events += 1
  })
  const refused = db.transaction('rw', db.instances, async () => {
    await db.instances.put(instance('i1'))
    throw new Error('the disk is full')
  })
  await expect(refused).rejects.toThrow('the disk is full')
  expect(events).toBe(0)
  await db.instances.put(instance('i2'))
  expect(events).toBe(1)
})

const key = { userId: 'u1', instanceId: 'i1' }

function replyWith(status: string) {
  const sections = [{ name: 'Section1', questions: [{ id: 'q1', subQuestions: [] }] }]
  const account = { responses: [{ id: 'q1', answer: '1' }], groups: [{ questionId: 'q1', revision: 1 }] }
  return { instanceId: 'i1', status, revision: 1, sections, ...account } as never
}

const endings: [string, () => Promise<unknown>, string][] = [
  ['was completed', () => complete(key, { status: 'COMPLETED', revision: 1 } as never), 'COMPLETED'],
  ['was completed elsewhere', () => setTrouble(key, { code: 'ALREADY_COMPLETED', at: 1 }), 'COMPLETED'],
  ['was taken back', () => setTrouble(key, { code: 'INSTANCE_RECLAIMED', at: 1 }), 'RECLAIMED'],
]

it.each(endings)(
  'a reply requested before the assessment %s does not open it again, one requested later does',
  async (_how, end, status) => {
    await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
    const asked = await stateBeforeFetch(key)
    await end()
    await db.answers.clear()
    await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), asked)
    expect((await db.instances.get(['u1', 'i1']))?.summary.status).toBe(status)
    expect(await db.answers.count()).toBe(0)
    // a server restored from a backup from before the end
    await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
    expect((await db.instances.get(['u1', 'i1']))?.summary.status).toBe('IN_PROGRESS')
    expect(await db.answers.count()).toBe(1)
  },
)

it.each([
  ['results', 'given'],
  ['complete', 'given since'],
] as const)('a Submit that the account has carried out waits for its %s if its answer was %s', async (finish, edit) => {
  await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
  await db.answers.put({ ...key, questionId: 'q2', sectionName: 'Section1', value: { q2: '1' }, edit, base: 0, order: 1 })
  await db.receipts.put({ ...key, questionId: 'q2', edit: 'given', revision: 1 })
  await db.instances.update(['u1', 'i1'], { finish: 'complete', trouble: { code: 'FORBIDDEN', at: 1 } })
  await storeInstance('u1', 'en', replyWith('COMPLETED'), await stateBeforeFetch(key))
  const trouble = finish === 'results' ? null : expect.anything()
  expect(await db.instances.get(['u1', 'i1'])).toMatchObject({ finish, trouble })
})

it('a reply requested before a save was acknowledged does not make its answer unsent, one requested later does', async () => {
  await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
  await db.answers.put({ ...key, questionId: 'q2', sectionName: 'Section1', value: { q2: '1' }, edit: 'given', base: 0, order: 1 })
  const before = await stateBeforeFetch(key)
  const operation = { edits: { q2: 'given' } } as never
  await acknowledge(key, { operation, accepted: [{ questionId: 'q2', revision: 1 }], superseded: [], revision: 2, at: 1 })
  const receipt = () => db.receipts.get(['u1', 'i1', 'q2'])
  await storeInstance('u1', 'fr', replyWith('IN_PROGRESS'), before)
  expect(await receipt()).toMatchObject({ edit: 'given', revision: 1 })
  expect(await db.instances.get(['u1', 'i1'])).toMatchObject({ summary: { revision: 2 }, languages: ['en', 'fr'] })
  // a server restored from a backup from before the save
  await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
  expect(await receipt()).toMatchObject({ edit: null, revision: 0 })
})

it('the same holds for a reply requested before the instance was stored', async () => {
  const before = await stateBeforeFetch(key)
  await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
  await db.answers.put({ ...key, questionId: 'q2', sectionName: 'Section1', value: { q2: '1' }, edit: 'given', base: 0, order: 1 })
  const operation = { edits: { q2: 'given' } } as never
  await acknowledge(key, { operation, accepted: [{ questionId: 'q2', revision: 1 }], superseded: [], revision: 2, at: 1 })
  await storeInstance('u1', 'fr', replyWith('IN_PROGRESS'), before)
  expect(await db.receipts.get(['u1', 'i1', 'q2'])).toMatchObject({ edit: 'given', revision: 1 })
})

it('where the device could not be read before the request, a lower revision means a restored server', async () => {
  await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
  await db.answers.put({ ...key, questionId: 'q2', sectionName: 'Section1', value: { q2: '1' }, edit: 'given', base: 0, order: 1 })
  const operation = { edits: { q2: 'given' } } as never
  await acknowledge(key, { operation, accepted: [{ questionId: 'q2', revision: 1 }], superseded: [], revision: 2, at: 1 })
  const failing = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(() => {
    throw new DOMException('the disk is broken', 'DataError')
  })
  const before = await stateBeforeFetch(key)
  failing.mockRestore()
  await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), before)
  expect(await db.receipts.get(['u1', 'i1', 'q2'])).toMatchObject({ edit: null, revision: 0 })
})

it('a save acknowledged while a Discard reads the account stays acknowledged', async () => {
  await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
  const given = { ...key, sectionName: 'Section1', base: 0, order: 1 }
  await db.answers.put({ ...given, questionId: 'q2', value: { q2: '1' }, edit: 'sent' })
  await db.answers.put({ ...given, questionId: 'q1', value: { q1: '2' }, edit: 'refused' })
  const before = await stateBeforeFetch(key)
  const operation = { edits: { q2: 'sent' } } as never
  await acknowledge(key, { operation, accepted: [{ questionId: 'q2', revision: 1 }], superseded: [], revision: 2, at: 1 })
  await discardUnsent(key, new Set(['refused']), replyWith('IN_PROGRESS'), before)
  expect(await db.receipts.get(['u1', 'i1', 'q2'])).toMatchObject({ edit: 'sent', revision: 1 })
  expect(await db.answers.get(['u1', 'i1', 'q1'])).toMatchObject({ value: { q1: '1' }, isCopy: true })
})

it('an overtaken reply still brings the answers that a sign-out took from the device, which kept those not sent', async () => {
  await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
  await db.answers.put({ ...key, questionId: 'q2', sectionName: 'Section1', value: { q2: '1' }, edit: 'given', base: 0, order: 1 })
  await clearRows({ userId: 'u1', keepUnsent: true })
  expect(await db.answers.toArray()).toMatchObject([{ questionId: 'q2' }])
  const before = await stateBeforeFetch(key)
  const operation = { edits: { q2: 'given' } } as never
  await acknowledge(key, { operation, accepted: [{ questionId: 'q2', revision: 1 }], superseded: [], revision: 2, at: 1 })
  await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), before)
  expect(await db.answers.toArray()).toMatchObject([
    { questionId: 'q1', value: { q1: '1' }, isCopy: true },
    { questionId: 'q2', edit: 'given' },
  ])
  expect(await db.receipts.toArray()).toMatchObject([
    { questionId: 'q1', revision: 1 },
    { questionId: 'q2', edit: 'given' },
  ])
})

const hour = 3_600_000
const jumps = [0, hour, -hour, 24 * hour, -24 * hour]

it.each(endings.flatMap((ending) => jumps.map((jump) => [ending, jump] as const)))(
  'the same holds if the clock jumps meanwhile (%#)',
  async ([, end, status], jump) => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(100 * hour)
    onTestFinished(() => clock.mockRestore())
    await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
    const asked = await stateBeforeFetch(key)
    clock.mockReturnValue(100 * hour + jump + 1)
    await end()
    await db.answers.clear()
    await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), asked)
    expect((await db.instances.get(['u1', 'i1']))?.summary.status).toBe(status)
    expect(await db.answers.count()).toBe(0)
    clock.mockReturnValue(100 * hour + 2)
    await storeInstance('u1', 'en', replyWith('IN_PROGRESS'), await stateBeforeFetch(key))
    expect((await db.instances.get(['u1', 'i1']))?.summary.status).toBe('IN_PROGRESS')
  },
)
