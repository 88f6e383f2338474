import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { startOutbox } from '#app/device/sending/outbox.ts'
import { sendTrouble } from '#app/device/sending/send-trouble.ts'
import { db } from '#app/device/store/db.ts'
import { session } from '#app/session/session.ts'
import { fakeStorage } from '#tests/support/storage.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** When what waits on a device is sent. ANSWERS-8 */

const key = { userId: 'u1', instanceId: 'i1' }
let requests: string[]

beforeEach(async () => {
  requests = []
  vi.stubGlobal('localStorage', fakeStorage(new Map()))
  vi.stubGlobal('sessionStorage', fakeStorage(new Map()))
  vi.stubGlobal('document', { addEventListener: () => undefined })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('setInterval', () => 0)
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url)
    return Promise.reject(new TypeError('Failed to fetch'))
  })
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue()
  await db.open()
  const summary = { status: 'IN_PROGRESS', revision: 0 }
  await db.instances.put({ ...key, summary, languages: [], finish: null, trouble: null } as never)
  await db.answers.put({ ...key, questionId: 'q1', sectionName: 'Section1', value: { q1: '1' }, edit: 'e1', base: 0 })
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await db.delete()
})

test('whoever signs in does not wait for the back-off of sends that failed before', async () => {
  const signedIn = vi.spyOn(session, 'get').mockReturnValue({ ...session.get(), status: 'guest', user: undefined })
  const listeners = new Set<() => void>()
  vi.spyOn(session, 'subscribe').mockImplementation((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  })
  for (let failure = 0; failure < 5; failure += 1) sendTrouble.noteFailure(new ApiError({ kind: 'FETCH_ERROR' }))
  startOutbox()
  expect(requests).toEqual([])
  const user = { id: key.userId, email: '', name: '', given_name: undefined, proof: undefined }
  signedIn.mockReturnValue({ ...session.get(), status: 'verified', user })
  for (const listener of listeners) listener()
  await waitFor(() => expect(requests).toContainEqual(expect.stringContaining('/responses')))
})
