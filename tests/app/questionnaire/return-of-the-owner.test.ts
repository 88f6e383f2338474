import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { screenStateOf } from '#app/device/screen-state.ts'
import { broadcast } from '#app/device/sending/broadcast.ts'
import { unwrittenRequested } from '#app/device/sending/unwritten-requests.ts'
import { clearRows } from '#app/device/store/clear-rows.ts'
import { db } from '#app/device/store/db.ts'
import { emitChanged } from '#app/device/sending/sync-events.ts'
import { readQuestionnaire, readRows } from '#app/device/store/device-store.ts'
import { answersChannel } from '#app/device/store/stored.ts'
import { questionnaireOf, type Questionnaire } from '#app/questionnaire/questionnaire.ts'
import type { Instance } from '#contract/instances.ts'
import { fakeStorage } from '#tests/support/storage.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** An answer that the disk refuses keeps an assessment open in the page while its owner signs out and comes back. SESSION-16 */

const key = { userId: 'u1', instanceId: 'i1' }
const questions = ['q1', 'q2', 'q3'].map((id) => ({ id, question: '', options: [], subQuestions: [] }))
const [, second, third] = questions as [unknown, (typeof questions)[0], (typeof questions)[0]]

const here = vi.hoisted(() => ({
  isSigningOut: false,
  userId: 'u1' as string | undefined,
  changed: new Set<() => void>(),
  account: {} as object,
  isAway: false,
}))

vi.mock('#app/device/owner.ts', () => {
  const mayStore = (userId: string) => !here.isSigningOut && here.userId === userId
  return { mayStore, mayStoreReads: mayStore }
})
vi.mock('#app/session/session.ts', () => ({
  session: {
    get: () => ({ user: here.userId === undefined ? undefined : { id: here.userId } }),
    subscribe: (listener: () => void) => {
      here.changed.add(listener)
      return () => here.changed.delete(listener)
    },
  },
}))
vi.mock('#app/device/lazy.ts', () => ({
  sendNow: async () => undefined,
  sendSoon: async () => undefined,
  loadOutbox: async () => ({ sendDirectly: async () => [] }),
  loadDiscard: () => import('#app/device/discard.ts'),
  loadFetchInstance: () => import('#app/device/fetch-instance.ts'),
}))
vi.mock('#app/api/call.ts', () => ({
  call: async () => {
    if (here.isAway) throw new Error('no reply')
    return here.account
  },
}))

function accountWith(answers: Record<string, string>): Instance {
  return {
    instanceId: 'i1',
    status: 'IN_PROGRESS',
    contentVersion: 'v1',
    revision: 3,
    sections: [{ name: 'Section1', type: 'ipsative', sectionOptions: [], questions }],
    responses: Object.entries(answers).map(([id, answer]) => ({ sectionName: 'Section1', id, answer })),
    groups: Object.keys(answers).map((questionId) => ({ questionId, revision: 1 })),
    hash: '',
  } as unknown as Instance // only the fields that the store writes
}

let questionnaire: Questionnaire
let stop: () => void

beforeEach(async () => {
  vi.stubGlobal('document', { hidden: true })
  // as a sign-in has left it
  vi.stubGlobal('localStorage', fakeStorage(new Map([['answersDeviceId', crypto.randomUUID()]])))
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  Object.assign(here, { isSigningOut: false, userId: 'u1', isAway: false, account: accountWith({ q1: 'A' }) })
  await db.open()
  questionnaire = questionnaireOf(key, 'en')
  stop = questionnaire.subscribe(() => undefined)
  await waitFor(async () => expect(await readQuestionnaire(key, 'en')).toBeDefined())
  await waitFor(() => expect(shown()).toEqual({ q1: { q1: 'A' } }))
})
afterEach(async () => {
  vi.restoreAllMocks()
  stop()
  // otherwise it stays open until its next try of the disk
  unwrittenRequested.emit({ userId: 'u1', isDiscarded: true })
  await waitFor(() => expect(screenStateOf(key)).toBeUndefined())
  await db.delete()
  vi.unstubAllGlobals()
})

const shown = () => questionnaire.answers.snapshot().answers

const fillDisk = () =>
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })

/** One answer waits on the disk, which refuses another. */
async function answerOnFullDisk(): Promise<void> {
  await questionnaire.answers.answer(second, 'Section1', { q2: 'B' })
  fillDisk()
  expect(await questionnaire.answers.answer(third, 'Section1', { q3: 'C' })).toBe(false)
}

/** The session of this user begins, or that of the last one ends. */
function change(userId: string | undefined): void {
  here.userId = userId
  here.isSigningOut = false
  for (const listener of here.changed) listener()
}

/** A sign-out begins, which keeps what is unsent. */
async function clear(): Promise<void> {
  here.isSigningOut = true
  vi.mocked(IDBObjectStore.prototype.put).mockRestore()
  await clearRows({ userId: 'u1', keepUnsent: true })
  fillDisk()
}

/** Another tab says that rows changed. */
async function announce(): Promise<void> {
  broadcast(answersChannel, key)
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test.each(['before', 'after'])('rows read %s the session has ended do not take the account’s answers from the assessment', async (when) => {
  await answerOnFullDisk()
  await clear()
  if (when === 'before') await announce()
  change(undefined)
  stop()
  if (when === 'after') await announce()
  expect(Object.keys(shown()).toSorted()).toEqual(['q1', 'q2', 'q3'])
  here.isAway = true
  vi.mocked(IDBObjectStore.prototype.put).mockRestore()
  change('u1')
  await waitFor(async () =>
    expect((await readQuestionnaire(key, 'en'))?.rows.answers.map(({ questionId }) => questionId)).toEqual(['q1', 'q2', 'q3']),
  )
})

test('an owner who comes back sees what was answered on another device meanwhile', async () => {
  await answerOnFullDisk()
  await clear()
  change(undefined)
  stop()
  here.account = accountWith({ q1: 'D' })
  Object.assign(here.account, { revision: 4, groups: [{ questionId: 'q1', revision: 2 }] })
  vi.mocked(IDBObjectStore.prototype.put).mockRestore()
  change('u1')
  stop = questionnaireOf(key, 'en').subscribe(() => undefined)
  expect(questionnaireOf(key, 'en')).toBe(questionnaire)
  await waitFor(() => expect(shown()).toMatchObject({ q1: { q1: 'D' }, q2: { q2: 'B' }, q3: { q3: 'C' } }))
})

test('what the disk lost while its owner was away is written again when they return, also where only answers have room', async () => {
  await answerOnFullDisk()
  // the server has ended the session, and the full disk takes no clearing
  change(undefined)
  stop()
  emitChanged(key)
  await waitFor(async () => expect(await readQuestionnaire(key, 'en')).toBeDefined())
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  await db.delete()
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  here.isAway = true
  vi.mocked(IDBObjectStore.prototype.put).mockRestore()
  const { put } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
    if (this.name === 'definitions') throw new DOMException('full', 'QuotaExceededError')
    return put.apply(this, given)
  })
  change('u1')
  await waitFor(async () => expect((await readRows(key)).answers.map(({ questionId }) => questionId)).toEqual(['q2', 'q3']))
})

test('what is unsent is written again where all of the site’s data are deleted', async () => {
  await questionnaire.answers.answer(second, 'Section1', { q2: 'B' })
  localStorage.clear()
  change(undefined)
  stop()
  await db.delete()
  await waitFor(async () => expect((await readRows(key)).answers.map(({ questionId }) => questionId)).toEqual(['q2']))
})

test('what is unsent is not written again after a sign-out, though the database is deleted', async () => {
  await questionnaire.answers.answer(second, 'Section1', { q2: 'B' })
  change(undefined)
  stop()
  await db.delete()
  await waitFor(() => expect(screenStateOf(key)).toBeUndefined())
  expect((await readRows(key)).answers).toEqual([])
})
