import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AssignDraft } from '#app/device/assign-draft.ts'
import { clearDevice, clearPending } from '#app/device/clear.ts'
import { db } from '#app/device/store/db.ts'
import { mayStore, mayStoreReads } from '#app/device/owner.ts'
import { notePresentSessions } from '#app/device/present-session.ts'
import { devicePort } from '#app/device/sending/device-port.ts'
import { sendNow } from '#app/device/sending/outbox.ts'
import { storeReply } from '#app/device/stored-replies.ts'
import { unsentOfOthers, waitingOf } from '#app/device/status.ts'
import { noteSession, ownersOnDevice } from '#app/device/store/device-store.ts'
import { databaseLost, instanceStored } from '#app/device/store/store-events.ts'
import { notePendingClearing, pendingClearings, removePendingClearing } from '#app/session/pending-clearing.ts'
import { session } from '#app/session/session.ts'
import { tokens } from '#contract/tokens.ts'
import { token } from '#tests/app/session/browser.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** What stays on a device after a sign-out, or after the server ended the session (docs/decisions/0032). */

const sam = 'u1'
const alex = 'u2'

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
async function fill(userId: string): Promise<void> {
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
async function leftOf(userId: string): Promise<string> {
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

it('after a session that the server does not know, all answers of open assessments stay: the server may be a restored backup', async () => {
  const done = { userId: sam, instanceId: 'i3', questionId: 'q1', edit: 'done' }
  await db.instances.put({ userId: sam, instanceId: 'i3', summary: { status: 'COMPLETED' }, languages: [], finish: null } as never)
  await db.answers.put({ ...done, sectionName: 'Section1', value: { q1: 'secret-done' }, base: 0 })
  await db.receipts.put({ ...done, revision: 1 })
  notePendingClearing({ userId: sam, keepUnsent: true, keepOpen: true })
  await clearPending()
  const left = await leftOf(sam)
  expect(left).not.toContain('secret-done')
  for (const part of ['secret-sent', 'secret-unsent', 'secret-copied', 'secret-displaced']) expect(left).toContain(part)
  for (const part of ['Sam', 'secret-result', `${sam}@club.test`, 'Kim']) expect(left).not.toContain(part)
  expect((await db.answers.toArray()).filter(({ userId }) => userId === sam)).toHaveLength(4)
  expect((await db.receipts.toArray()).filter(({ userId }) => userId === sam)).toHaveLength(3)
  expect((await db.instances.get([sam, 'i2']))?.summary.revision).toBe(3)
})

it('unsent answers, displaced answers, unsent marks and the list of players are counted', async () => {
  expect(await waitingOf(sam)).toEqual({
    answers: 1,
    unwritten: 0,
    late: 1,
    submits: 0,
    marks: 1,
    unwrittenMarks: 0,
    hasDraft: true,
    isDeleted: false,
    refusal: undefined,
  })
})

it('a list that was sent to everybody on it is not counted', async () => {
  const lines = { 'a pat@club.test': { operationId: 'o', outcome: 'sent', at: 0 } }
  await db.reads.update([sam, 'draft/assign-many'], { value: { assessmentId: 'a', text: 'pat@club.test', lines } })
  expect(await waitingOf(sam)).toMatchObject({ hasDraft: false })
})

it('with keepUnsent only what the server does not have stays', async () => {
  await clearDevice({ userId: sam, keepUnsent: true })
  const left = await leftOf(sam)
  for (const there of ['secret-unsent', 'secret-displaced', 'pat@club.test', 'unsent-mark']) expect(left).toContain(there)
  for (const gone of ['secret-sent', 'secret-result', 'u1@club.test', 'Kim', '"i2"', '"sent-mark']) expect(left).not.toContain(gone)
  expect(await waitingOf(sam)).toMatchObject({ answers: 1, late: 1, marks: 1, hasDraft: true })
})

it('answers whose assessment the disk refused are counted, stay with keepUnsent, and make the account known', async () => {
  const lost = { userId: 'u3', instanceId: 'i9', questionId: 'q1' }
  await db.answers.put({ ...lost, sectionName: 'Section1', value: { q1: 'secret-alone' }, edit: 'alone', base: 0 })
  await db.answers.put({ ...lost, questionId: 'q2', sectionName: 'Section1', value: { q2: 'secret-sent' }, edit: 'sent', base: 0 })
  await db.receipts.put({ ...lost, questionId: 'q2', edit: 'sent', revision: 1 })
  await db.late.put({ ...lost, questionId: 'q3', value: { q3: 'secret-late' } })
  expect(await waitingOf('u3')).toMatchObject({ answers: 1, late: 1 })
  await clearDevice({ userId: 'u3', keepUnsent: true })
  const left = await leftOf('u3')
  for (const there of ['secret-alone', 'secret-late']) expect(left).toContain(there)
  expect(left).not.toContain('secret-sent')
  expect(await ownersOnDevice()).toContain('u3')
  await clearDevice({ userId: alex, keepUnsent: false })
  expect(await unsentOfOthers(sam)).toMatchObject({ isSendable: true })
  notePendingClearing({ userId: 'u3', keepUnsent: true })
  expect(await unsentOfOthers(sam)).toMatchObject({ isSendable: true })
  // discarded, and about to be removed
  notePendingClearing({ userId: 'u3', keepUnsent: false })
  expect(await unsentOfOthers(sam)).toMatchObject({ isSendable: false })
  await clearDevice({ userId: 'u3', keepUnsent: false })
  expect(await leftOf('u3')).toBe('[]')
})

it('without keepUnsent nothing of this person stays, and everything of others does', async () => {
  const before = await leftOf(alex)
  await clearDevice({ userId: sam, keepUnsent: false })
  expect(await leftOf(sam)).toBe('[]')
  expect(await leftOf(alex)).toBe(before)
})

const signedIn = (userId: string | undefined) =>
  vi.spyOn(session, 'get').mockReturnValue({ user: userId === undefined ? undefined : { id: userId } } as never)

describe('after somebody signed out', () => {
  it('a reply that arrives late is not stored', async () => {
    signedIn(alex)
    const read = async (userId: string) =>
      storeReply(userId, tokens.list, '{}', 'en', { value: { total: 1, used: 0, available: 1, tokens: [] }, at: Date.now() })
    await read(alex)
    expect(await leftOf(alex)).toContain('available')
    await clearDevice({ userId: alex, keepUnsent: false })
    await read(alex)
    expect(await leftOf(alex)).toBe('[]')
  })

  it('an acknowledgement that arrives late stores nothing', async () => {
    const device = devicePort({ userId: sam, instanceId: 'i1' }, () => undefined)
    const operation = { id: 'o1', edits: { q2: 'unsent' }, groups: { q2: { q2: '1' } }, body: '' }
    await clearDevice({ userId: sam, keepUnsent: false })
    await device.acknowledge({ operation, accepted: [{ questionId: 'q2', revision: 4 }], superseded: [], revision: 4, at: 0 })
    expect(await leftOf(sam)).toBe('[]')
  })
})

describe('what could not be cleared', () => {
  it.each([undefined, alex])('is cleared at the next start, whoever is signed in (%s)', async (userId) => {
    for (const one of [sam, alex]) localStorage.setItem(`touchline.reads.${one}`, 'a name')
    notePendingClearing({ userId: sam, keepUnsent: false })
    signedIn(userId)
    await clearPending()
    expect(await leftOf(sam)).toBe('[]')
    expect([sam, alex].map((one) => localStorage.getItem(`touchline.reads.${one}`))).toEqual([null, 'a name'])
    expect(pendingClearings()).toEqual([])
  })

  it('stays noted while the database fails', async () => {
    notePendingClearing({ userId: sam, keepUnsent: true })
    signedIn(undefined)
    vi.spyOn(db, 'transaction').mockRejectedValueOnce(new Error('hangs'))
    await expect(clearPending()).rejects.toThrow('hangs')
    expect(pendingClearings()).toEqual([{ userId: sam, keepUnsent: true }])
    await clearPending()
    expect(await leftOf(sam)).not.toContain('secret-sent')
  })

  it('stays noted while its owner signs out, and not once another session of theirs has begun', async () => {
    const before = await leftOf(sam)
    const beginSession = (sid: string) => localStorage.setItem('accessToken', token({ sid }))
    beginSession('s')
    notePendingClearing({ userId: sam, keepUnsent: false, endsSession: 's' })
    signedIn(sam)
    await clearPending()
    expect(pendingClearings()).toHaveLength(1)
    beginSession('later')
    await clearPending()
    expect([await leftOf(sam), pendingClearings()]).toEqual([before, []])
  })

  it('is left alone when its owner has signed in again', async () => {
    const before = await leftOf(sam)
    notePendingClearing({ userId: sam, keepUnsent: false })
    signedIn(sam)
    await clearPending()
    expect([await leftOf(sam), pendingClearings()]).toEqual([before, []])
  })
})

describe('a sign-out that is held up while its owner signs in again in another tab', () => {
  /** epoch ms by the server's clock */
  const issuedAt = 2_000_000
  const later = { id: 'later', at: 3_000_000 }
  const heldUp = (keepUnsent: boolean) => clearDevice({ userId: sam, keepUnsent, endsSession: 's', issuedAt })
  beforeEach(async () => {
    signedIn(sam)
    await noteSession(sam, { id: 's', at: 1_000_000 }, () => true)
    await noteSession(sam, later, () => true)
  })

  it.each([true, false])('clears nothing, and this tab stores again (keepUnsent: %s)', async (keepUnsent) => {
    const before = await leftOf(sam)
    expect(await heldUp(keepUnsent)).toBe(false)
    expect([await leftOf(sam), mayStore(sam)]).toEqual([before, true])
  })

  it('clears nothing either once they have signed out again and kept what is unsent', async () => {
    await clearDevice({ userId: sam, keepUnsent: true, endsSession: 'later', issuedAt: 4_000_000 })
    const before = await leftOf(sam)
    expect(before).toContain('secret-unsent')
    expect(await heldUp(false)).toBe(false)
    expect(await leftOf(sam)).toBe(before)
  })

  it.each([true, false])(
    'clears if a killed browser has lost the later one, and brought this one back (keepUnsent: %s)',
    async (keepUnsent) => {
      localStorage.setItem('accessToken', token({ sid: 's' }))
      expect(await heldUp(keepUnsent)).toBe(true)
      const left = await leftOf(sam)
      expect([left.includes('secret-sent'), left.includes('secret-unsent')]).toEqual([false, keepUnsent])
      localStorage.removeItem('accessToken')
    },
  )

  it('or at the next start, where a killed browser has brought back its note', async () => {
    const before = await leftOf(sam)
    notePendingClearing({ userId: sam, keepUnsent: false, endsSession: 's', issuedAt })
    signedIn(undefined)
    await clearPending()
    expect([await leftOf(sam), pendingClearings()]).toEqual([before, []])
  })

  it('a sign-out of the later session clears everything, and the note of it', async () => {
    expect(await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'later', issuedAt: 4_000_000 })).toBe(true)
    expect(await leftOf(sam)).toBe('[]')
    expect(JSON.stringify(await db.device.toArray())).not.toContain(sam)
  })

  it('so does one of a session that the disk did not note', async () => {
    expect(await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'not noted', issuedAt: 4_000_000 })).toBe(true)
    expect(await leftOf(sam)).toBe('[]')
  })

  it('clears nothing either if another tab finished it, and the clock of the device was set back', async () => {
    await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'later', issuedAt: later.at })
    vi.spyOn(Date, 'now').mockReturnValue(later.at - 3_600_000)
    signedIn(sam)
    await noteSession(sam, { id: 'last', at: later.at + 60_000 }, () => true)
    await fill(sam)
    const before = await leftOf(sam)
    expect(await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'later', issuedAt: later.at })).toBe(false)
    expect(await leftOf(sam)).toBe(before)
  })

  it('or if the database was deleted since, in an open page', async () => {
    localStorage.setItem('accessToken', token({ sid: 'later', iat: later.at / 1000 }))
    await db.device.clear()
    notePresentSessions()
    await waitFor(async () => expect(JSON.stringify(await db.device.toArray())).toContain('later'))
    await db.device.clear()
    databaseLost.emit()
    instanceStored.emit()
    await waitFor(async () => expect(JSON.stringify(await db.device.toArray())).toContain('later'))
    expect(await heldUp(false)).toBe(false)
  })

  it('or if the database does not have the later session yet', async () => {
    await db.device.clear()
    localStorage.setItem('accessToken', token({ sid: 'later' }))
    localStorage.setItem('idToken', token({ sub: sam }))
    const before = await leftOf(sam)
    expect(await heldUp(false)).toBe(false)
    expect(await leftOf(sam)).toBe(before)
    localStorage.removeItem('idToken')
    localStorage.removeItem('accessToken')
  })

  it('a tab that goes on once they have signed out notes nothing', async () => {
    await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'later', issuedAt: 4_000_000 })
    localStorage.setItem('accessToken', token({ sid: 'last', iat: 5000 }))
    const closing = db.transaction('rw', db.device, async () => {
      await db.device.count()
      localStorage.removeItem('accessToken')
    })
    notePresentSessions()
    await closing
    await db.device.count()
    expect(JSON.stringify(await db.device.toArray())).not.toContain(sam)
  })

  it('nor one that starts while the rows are cleared, before the tokens are', async () => {
    const clearing = { userId: sam, keepUnsent: false, endsSession: 'later', issuedAt: 4_000_000 }
    localStorage.setItem('accessToken', token({ sid: 'later', iat: 5000 }))
    notePendingClearing(clearing)
    await clearDevice(clearing)
    notePresentSessions()
    await db.device.count()
    await db.device.count()
    expect(JSON.stringify(await db.device.toArray())).not.toContain(sam)
    removePendingClearing(sam)
    localStorage.removeItem('accessToken')
  })

  it('a session is noted as new only once', async () => {
    await noteSession(sam, { ...later, at: 5_000_000 }, () => true)
    expect(await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'not noted', issuedAt: 4_000_000 })).toBe(true)
  })
})

describe('while its owner signs out in another tab', () => {
  beforeEach(() => {
    signedIn(alex)
    localStorage.setItem('accessToken', token({ sid: 's' }))
  })

  it('nothing is sent, answers or marks', async () => {
    const requests: string[] = []
    vi.stubGlobal('fetch', (url: string) => {
      requests.push(url)
      return Promise.reject(new TypeError('Failed to fetch'))
    })
    vi.spyOn(console, 'warn').mockReturnValue()
    notePendingClearing({ userId: alex, keepUnsent: true, endsSession: 's' })
    await sendNow()
    expect(requests).toEqual([])
    removePendingClearing(alex)
    await sendNow()
    expect(requests).toContainEqual(expect.stringContaining('/responses'))
  })

  it.each([
    ['stored on, if unsent answers are kept', true],
    ['not stored any more, if they are discarded', false],
  ])('what happens on the screen is %s', (_, keepUnsent) => {
    notePendingClearing({ userId: alex, keepUnsent, endsSession: 's' })
    expect(mayStore(alex)).toBe(keepUnsent)
    expect(mayStoreReads(alex)).toBe(false)
  })
})
