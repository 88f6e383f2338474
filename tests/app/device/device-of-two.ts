import 'fake-indexeddb/auto'
import { afterEach, beforeEach, vi } from 'vitest'
import type { AssignDraft } from '#app/device/assign-draft.ts'
import { db } from '#app/device/store/db.ts'
import { session } from '#app/session/session.ts'

/** A device with work of Sam and of Alex, before each test; local storage is empty. */

export const sam = 'u1'
export const alex = 'u2'

vi.hoisted(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    clear: () => stored.clear(),
  })
})

/** In i1 one answer is sent, one is not, one was displaced; in i2 all is sent; a coach's list, marks, one of them sent, and a read. */
export async function fill(userId: string): Promise<void> {
  const summary = { userEmail: `${userId}@club.test`, userName: 'Sam', coachFirstName: 'Kim', status: 'IN_PROGRESS', revision: 3 }
  const answer = (instanceId: string, questionId: string, edit: string) => ({
    userId,
    instanceId,
    questionId,
    sectionName: 'Section1',
    value: { [questionId]: `secret-${edit}` },
    edit,
    base: 0,
  })
  const receipt = (instanceId: string, questionId: string, edit: string) => ({ userId, instanceId, questionId, edit, revision: 1 })
  for (const instanceId of ['i1', 'i2']) {
    await db.instances.put({ userId, instanceId, summary, languages: ['en'], finish: null, trouble: null } as never)
    await db.definitions.put({ userId, instanceId, language: 'en', sections: [] })
  }
  await db.answers.bulkPut([
    answer('i1', 'q1', 'sent'),
    answer('i1', 'q2', 'unsent'),
    answer('i1', 'q3', 'copied'),
    answer('i2', 'q1', 'sent'),
  ])
  await db.receipts.bulkPut([receipt('i1', 'q1', 'sent'), receipt('i1', 'q3', 'copied'), receipt('i2', 'q1', 'sent')])
  await db.late.put({ userId, instanceId: 'i1', questionId: 'q3', value: { q3: 'secret-displaced' } })
  const draft: AssignDraft = { assessmentId: 'a', text: 'pat@club.test', language: undefined, lines: {} }
  const mark = (paragraph: string, isSent: boolean) => ({ paragraph, mark: 'like', at: 1, isSent })
  await db.reads.bulkPut([
    { userId, key: 'draft/assign-many', value: draft, at: 0 },
    { userId, key: 'results/i3/en', value: 'secret-result', at: 0 },
    { userId, key: 'marks/i3', value: [mark('sent-mark', true), mark('unsent-mark', false)], at: 0 },
  ])
}

/** Everything stored about a person, as somebody who opens the storage would read it. */
export async function leftOf(userId: string): Promise<string> {
  const rows = await Promise.all(db.tables.map((table) => table.toArray()))
  return JSON.stringify(rows.flat().filter((row: { userId?: string }) => row.userId === userId))
}

beforeEach(async () => {
  await db.open()
  await fill(sam)
  await fill(alex)
})
afterEach(async () => {
  vi.restoreAllMocks()
  localStorage.clear()
  await db.delete()
})

export const signedIn = (userId: string | undefined) =>
  vi.spyOn(session, 'get').mockReturnValue({ user: userId === undefined ? undefined : { id: userId } } as never)
