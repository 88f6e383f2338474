import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { network } from '#app/api/network.ts'
import { screenStateOf } from '#app/device/screen-state.ts'
import { db } from '#app/device/store/db.ts'
import { acknowledge, readInstance, readRows } from '#app/device/store/device-store.ts'
import { PageReloading } from '#app/ui/browser/load-once.ts'
import { databaseLost } from '#app/device/store/store-events.ts'
import { answersChannel } from '#app/device/store/stored.ts'
import { emitChanged } from '#app/device/sending/sync-events.ts'
import { questionnaireOf, type Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { wasSubmitLost } from '#app/questionnaire/submit.ts'
import { operationOf } from '#app/sync/sync.ts'
import type { Instance } from '#contract/instances.ts'
import { fakeStorage } from '#tests/support/storage.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** The object that the questionnaire's screens use, on the real device store, with a fake server. */

const key = { userId: 'u1', instanceId: 'i1' }
const question = { id: 'q1', question: '', options: [], subQuestions: [] }
const server = vi.hoisted(() => ({
  instance: {} as object,
  areDetailsMissing: false,
  isModuleLost: false,
  isReloading: false,
  isSilent: false,
  isStoreSilent: false,
}))
const outbox = vi.hoisted(() => ({
  sendNow: vi.fn<() => Promise<void>>(),
  sendSoon: vi.fn<() => Promise<void>>(),
  retry: vi.fn<() => void>(),
}))

vi.mock('#app/constants.ts', async (original) => ({ ...(await original<object>()), PART_SLOW_MS: 50 }))
vi.mock('#app/device/store/load-dexie.ts', async (original) => {
  const real = await original<typeof import('#app/device/store/load-dexie.ts')>()
  return { loadDexie: () => (server.isStoreSilent ? new Promise(() => undefined) : real.loadDexie()) }
})
vi.mock('#app/device/owner.ts', () => ({ mayStore: () => true, mayStoreReads: () => true }))
vi.mock('#app/device/lazy.ts', () => ({
  ...outbox,
  loadOutbox: async () => outbox,
  loadDiscard: () => import('#app/device/discard.ts'),
  loadFetchInstance: () => import('#app/device/fetch-instance.ts'),
}))
vi.mock('#app/device/lazy-reads.ts', () => ({
  loadMissingDetails: async () => {
    if (server.isReloading) throw new PageReloading()
    if (server.isSilent) await new Promise(() => undefined)
    if (server.isModuleLost) throw new TypeError('Failed to fetch dynamically imported module')
    return { areDetailsMissing: async () => server.areDetailsMissing }
  },
}))
vi.mock('#app/api/call.ts', () => ({ call: async () => server.instance }))

function instanceWith(revision: number, answer: string | null): Instance {
  return {
    instanceId: 'i1',
    status: 'IN_PROGRESS',
    contentVersion: 'v1',
    revision,
    sections: [{ name: 'Section1', type: 'ipsative', sectionOptions: [], questions: [question] }],
    responses: answer === null ? [] : [{ sectionName: 'Section1', id: 'q1', answer }],
    groups: answer === null ? [] : [{ questionId: 'q1', revision }],
    hash: '',
  } as unknown as Instance // only the fields that the store writes
}

let questionnaire: Questionnaire
let stop: () => void

async function open(): Promise<void> {
  questionnaire = questionnaireOf(key, 'en')
  stop = questionnaire.subscribe(() => undefined)
  await waitFor(async () => expect(await readInstance(key)).toBeDefined())
  await waitFor(() => expect(questionnaire.get()).toMatchObject({ state: 'ready', questionnaire }))
}

beforeEach(async () => {
  vi.stubGlobal('document', { hidden: true })
  vi.stubGlobal('sessionStorage', fakeStorage())
  vi.stubGlobal('localStorage', fakeStorage())
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined)
  vi.clearAllMocks()
  server.instance = instanceWith(0, null)
  server.areDetailsMissing = false
  server.isModuleLost = false
  server.isReloading = false
  server.isSilent = false
  server.isStoreSilent = false
  await db.open()
  await open()
})
afterEach(async () => {
  vi.restoreAllMocks()
  stop()
  await waitFor(() => expect(screenStateOf(key)).toBeUndefined())
  await db.delete()
  vi.unstubAllGlobals()
})

const tap = (value: string) => questionnaire.answers.answer(question, 'Section1', { q1: value })
const unsent = () => questionnaire.answers.snapshot().unsent

test('a tap is stored and sent, and its receipt is read from the store', async () => {
  expect(await tap('A')).toBe(true)
  const { answers } = await readRows(key)
  expect(answers).toMatchObject([{ questionId: 'q1', value: { q1: 'A' } }])
  await waitFor(() => expect(unsent()).toBe(1))
  expect(outbox.sendSoon).toHaveBeenCalled()

  const operation = operationOf(answers, { id: 'o1', instanceId: 'i1', deviceId: 'd1', contentVersion: 'v1' })
  await acknowledge(key, { operation, accepted: [{ questionId: 'q1', revision: 1 }], superseded: [], revision: 1, at: 5 })
  emitChanged(key)
  await waitFor(() => expect(unsent()).toBe(0))
  expect(questionnaire.get()).toMatchObject({ ready: { instance: { savedAt: 5 } } })
})

test('an answer displaced by another device is restored when its owner asks', async () => {
  await tap('A')
  await db.late.put({ ...key, questionId: 'q1', value: { q1: 'B' } })
  emitChanged(key)
  await waitFor(() => expect(questionnaire.answers.snapshot().late).toHaveLength(1))
  await questionnaire.resolveLate('q1', true)
  expect(questionnaire.answers.group(question)).toEqual({ q1: 'B' })
  expect(questionnaire.answers.snapshot().late).toEqual([])
})

test('discarded unsent answers are replaced by those of the account', async () => {
  await tap('A')
  server.instance = instanceWith(3, 'C')
  await questionnaire.discardUnsent(undefined, false)
  await waitFor(() => expect(questionnaire.answers.group(question)).toEqual({ q1: 'C' }))
  expect(unsent()).toBe(0)
})

test('Submit waits for missing details, and can be reopened for a change', async () => {
  server.areDetailsMissing = true
  expect(await questionnaire.submit()).toBe('details')
  expect((await readInstance(key))?.finish).toBe('details')

  server.areDetailsMissing = false
  expect(await questionnaire.submit()).toBe('waiting')
  expect((await readInstance(key))?.finish).toBe('save')
  await questionnaire.reopen()
  expect((await readInstance(key))?.finish).toBeNull()
})

test('Submit is stored, and sent later, if the part of the app that requests the details cannot be loaded', async () => {
  server.isModuleLost = true
  expect(await questionnaire.submit()).toBe('waiting')
  expect((await readInstance(key))?.finish).toBe('save')
})

test.each([
  {
    says: 'asks for the details after a reload for a part of the app that was replaced',
    isThere: true,
    outcome: 'part-lost',
    finish: 'details',
  },
  {
    says: 'is stored, and sent later, where the server is away and the page is not reloaded',
    isThere: false,
    outcome: 'waiting',
    finish: 'save',
  },
])('Submit $says', async ({ isThere, outcome, finish }) => {
  server.isReloading = true
  vi.spyOn(network, 'probe').mockResolvedValue(isThere)
  expect(await questionnaire.submit()).toBe(outcome)
  expect((await readInstance(key))?.finish).toBe(finish)
})

test('Submit does not wait for ever for the part of the app that requests the details', async () => {
  server.isSilent = true
  expect(await questionnaire.submit()).toBe('waiting')
  expect((await readInstance(key))?.finish).toBe('save')
})

test('Submit that cannot be stored as that part of the app does not arrive says so, also after a reload, until it is pressed again', async () => {
  server.isStoreSilent = true
  expect(await questionnaire.submit()).toBe('part-lost')
  expect(wasSubmitLost(key.instanceId)).toBe(true)
  server.isStoreSilent = false
  expect(await questionnaire.submit()).toBe('waiting')
  expect(wasSubmitLost(key.instanceId)).toBe(false)
})

test('Submit that did not continue after a reload for a part of the app is known as lost', async () => {
  server.isReloading = true
  vi.spyOn(network, 'probe').mockResolvedValue(true)
  await questionnaire.submit()
  await questionnaire.returnFromDetails()
  expect(wasSubmitLost(key.instanceId)).toBe(true)
  expect((await readInstance(key))?.finish).toBeNull()
})

test('after a return from the details form without saving, Submit has to be pressed again', async () => {
  server.areDetailsMissing = true
  await questionnaire.submit()
  await questionnaire.returnFromDetails()
  expect(outbox.sendNow).toHaveBeenCalled()
  expect((await readInstance(key))?.finish).toBeNull()
})

test('a database that opens and refuses every transaction is not opened again and again', async () => {
  const opened = vi.spyOn(indexedDB, 'open')
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
    throw new DOMException('closing', 'InvalidStateError')
  })
  databaseLost.emit()
  await waitFor(() => expect(opened).toHaveBeenCalledTimes(1))
  // a loop would have opened it dozens of times by then
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(opened.mock.calls.length).toBeLessThan(4)
  vi.restoreAllMocks()
})

test('an answer given just before leaving is announced to the other tabs', async () => {
  const other = new BroadcastChannel(answersChannel)
  const listener = vi.fn<(event: Event) => void>()
  other.addEventListener('message', listener)
  const tapped = tap('A')
  stop()
  expect(await tapped).toBe(true)
  await waitFor(() => expect(listener).toHaveBeenCalled())
  other.close()
})

/** Reopens it on a full disk that has its rows without its questions. */
async function openWithoutQuestions(left: () => Promise<unknown>): Promise<void> {
  stop()
  await waitFor(() => expect(screenStateOf(key)).toBeUndefined())
  await waitFor(async () => expect(await readInstance(key)).toBeDefined())
  await Promise.all([db.definitions.clear(), db.answers.clear(), db.receipts.clear()])
  await left()
  server.instance = instanceWith(3, 'C')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  questionnaire = questionnaireOf(key, 'en')
  stop = questionnaire.subscribe(() => undefined)
  await waitFor(() => expect(questionnaire.get()).toMatchObject({ state: 'ready' }))
}

async function settled(): Promise<void> {
  emitChanged(key)
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

const sent = { ...key, questionId: 'q1', sectionName: 'Section1', value: { q1: 'A' }, edit: 'e1', base: 0, order: 1 }
const receipt = { ...key, questionId: 'q1', edit: 'e1', revision: 1 }

test.each([
  ['nothing, as a sign-out leaves it', async () => undefined],
  ['an answer that another device has changed since', () => Promise.all([db.answers.put(sent), db.receipts.put(receipt)])],
  ['the receipt of an answer that the disk lost', () => db.receipts.put(receipt)],
])('the account’s answers are shown if a full disk has no questions, but %s', async (_, left) => {
  await openWithoutQuestions(left)
  for (let round = 0; round < 2; round += 1) {
    expect(questionnaire.answers.group(question)).toEqual({ q1: 'C' })
    expect(unsent()).toBe(0)
    await settled()
  }
})

test('an answer that waits on a full disk without the questions stays, with the base that it was given on', async () => {
  await openWithoutQuestions(() => db.answers.put({ ...sent, base: 1 }))
  for (let round = 0; round < 2; round += 1) {
    expect(questionnaire.answers.unsent()).toMatchObject([{ value: { q1: 'A' }, base: 1 }])
    await settled()
  }
})
