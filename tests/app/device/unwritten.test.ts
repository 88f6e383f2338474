import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answersChannel } from '#app/device/store/stored.ts'
import { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { requestUnwritten, unwrittenRequested } from '#app/device/sending/unwritten-requests.ts'
import { hasUnwritten, hasUnwrittenHere, unwrittenOf } from '#app/device/sending/unwritten.ts'
import { shareUnwritten, unwrittenInTabs, sendUnwritten, watchUnwrittenElsewhere } from '#app/device/sending/unwritten-in-tabs.ts'
import { token } from '#tests/app/session/browser.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** Answers that the disk refuses. Without IndexedDB, as here, none can be stored. */

const question = { id: 'q1', question: '', options: [], subQuestions: [] }
const key = { userId: 'u1', instanceId: 'i1' }
let answers: ScreenAnswers
let sendsNow: boolean[]
let isTaken: boolean
/** until then the server has not replied */
let replied: Promise<void>

shareUnwritten()

beforeEach(() => {
  vi.stubGlobal('document', { hidden: true })
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined)
  sendsNow = []
  isTaken = false
  replied = Promise.resolve()
  answers = new ScreenAnswers(key, {
    onSaved: () => undefined,
    sendDirectly: async (rows, isManual) => {
      sendsNow.push(isManual)
      await replied
      return isTaken ? rows.map(({ edit }) => edit) : []
    },
  })
})
afterEach(() => {
  requestUnwritten({ userId: key.userId, isDiscarded: true })
  answers.close()
  vi.unstubAllGlobals()
})

const tap = () => answers.answer(question, 'Section1', { q1: '1' })

test('unwritten answers are known to every tab until the server has them', async () => {
  await tap()
  await waitFor(() => expect(unwrittenOf(key)).toBe(1))
  expect(await unwrittenInTabs('u1')).toEqual(new Map([['i1', new Set(['q1'])]]))
  expect(await unwrittenInTabs('u2')).toEqual(new Map())
  // as every other tab sees it
  expect((await navigator.locks.query()).held).toMatchObject([{ name: 'touchline.unwritten u1 i1 q1' }])
  isTaken = true
  requestUnwritten({ userId: 'u1', isDiscarded: false })
  await waitFor(async () => expect(await unwrittenInTabs('u1')).toEqual(new Map()))
  expect(sendsNow.at(-1)).toBe(true)
})

test('where the browser has no locks, sending them now ends once the server has them', async () => {
  vi.stubGlobal('navigator', {})
  await tap()
  await waitFor(() => expect(unwrittenOf(key)).toBe(1))
  isTaken = true
  const { promise, resolve: reply } = Promise.withResolvers<void>()
  replied = promise
  let isOver = false
  const sending = sendUnwritten('u1').then(() => {
    isOver = true
  })
  await waitFor(() => expect(sendsNow.at(-1)).toBe(true))
  await new Promise(setImmediate)
  expect(isOver).toBe(false)
  reply()
  await sending
  expect(unwrittenOf(key)).toBe(0)
})

test('unwritten answers that the server took still count as sent when the device is read again', async () => {
  isTaken = true
  await tap()
  await waitFor(() => expect(answers.snapshot()).toMatchObject({ hasFailedWrites: true, unsent: 0 }))
  answers.applyRows({ answers: [], receipts: [], late: [] })
  expect(answers.snapshot()).toMatchObject({ hasFailedWrites: true, unsent: 0 })
})

test('answers that only another tab has are known here, for the signed-in person only, until they are written', async () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: true }))
  let owner = 'u2'
  watchUnwrittenElsewhere(() => owner)
  const written = Promise.withResolvers<void>()
  const held = navigator.locks.request('touchline.unwritten u1 i1 q1', { mode: 'shared' }, () => written.promise)
  const otherTab = new BroadcastChannel(answersChannel)
  const query = vi.spyOn(navigator.locks, 'query')
  otherTab.postMessage(key)
  await waitFor(() => expect(query).toHaveBeenCalledTimes(1))
  expect(hasUnwritten()).toBe(false)
  owner = 'u1'
  otherTab.postMessage(key)
  await waitFor(() => expect([hasUnwritten(), hasUnwrittenHere()]).toEqual([true, false]))
  written.resolve()
  await held
  otherTab.postMessage(key)
  await waitFor(() => expect(hasUnwritten()).toBe(false))
  otherTab.close()
})

test('a sign-out that is held up in another tab does not discard what is answered in a later session', async () => {
  await tap()
  await waitFor(() => expect(unwrittenOf(key)).toBe(1))
  const credentials = { accessToken: token({ sid: 'later' }), idToken: token({ sub: 'u1' }) }
  vi.stubGlobal('localStorage', { getItem: (name: string) => Object.entries(credentials).find(([one]) => one === name)?.[1] ?? null })
  const otherTab = new BroadcastChannel('touchline-unwritten')
  const heard: unknown[] = []
  const stop = unwrittenRequested.subscribe((request) => heard.push(request))
  const request = { userId: 'u1', isDiscarded: true }
  otherTab.postMessage({ ...request, endsSession: 'earlier' })
  otherTab.postMessage({ ...request, userId: 'u2', endsSession: 'earlier' })
  await waitFor(() => expect(heard).toEqual([{ ...request, userId: 'u2', endsSession: 'earlier' }]))
  expect(unwrittenOf(key)).toBe(1)
  otherTab.postMessage({ ...request, endsSession: 'later' })
  await waitFor(() => expect(unwrittenOf(key)).toBe(0))
  stop()
  otherTab.close()
})

test('what was discarded is not shown any more by a tab that hears of it only after its owner has signed in again; what they answer since stays', async () => {
  await tap()
  await waitFor(() => expect(unwrittenOf(key)).toBe(1))
  const until = answers.ownRow(question)?.order
  const later = { ...question, id: 'q2' }
  await answers.answer(later, 'Section1', { q2: '1' })
  const otherTab = new BroadcastChannel('touchline-unwritten')
  otherTab.postMessage({ userId: 'u1', isDiscarded: true, until })
  await waitFor(() => expect(answers.rows().answers.map(({ questionId }) => questionId)).toEqual(['q2']))
  expect(unwrittenOf(key)).toBe(1)
  otherTab.close()
})

test('only their owner can discard unwritten answers', async () => {
  await tap()
  await waitFor(() => expect(unwrittenOf(key)).toBe(1))
  requestUnwritten({ userId: 'u2', isDiscarded: true })
  expect(unwrittenOf(key)).toBe(1)
  const heard = vi.fn<() => void>()
  const stop = unwrittenRequested.subscribe(heard)
  requestUnwritten({ userId: 'u1', isDiscarded: true })
  stop()
  expect(heard).toHaveBeenCalledTimes(1)
  expect(unwrittenOf(key)).toBe(0)
})
