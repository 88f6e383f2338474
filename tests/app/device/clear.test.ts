import { beforeEach, describe, expect, it, vi } from 'vitest'
// first, as modules read local storage when they load
import { alex, leftOf, sam, signedIn } from './device-of-two.ts'
import { clearDevice, clearPending } from '#app/device/clear.ts'
import { db } from '#app/device/store/db.ts'
import { mayStore, mayStoreReads } from '#app/device/owner.ts'
import { devicePort } from '#app/device/sending/device-port.ts'
import { sendNow } from '#app/device/sending/outbox.ts'
import { storeReply } from '#app/device/stored-replies.ts'
import { unsentOfOthers } from '#app/device/unsent-of-others.ts'
import { waitingOf } from '#app/device/waiting.ts'
import { ownersOnDevice } from '#app/device/store/device-store.ts'
import { addPendingClearing, pendingClearings, removePendingClearing } from '#app/session/pending-clearing.ts'
import { tokens } from '#contract/tokens.ts'
import { token } from '#tests/app/session/browser.ts'

/** What stays on a device after a sign-out, or after the server ended the session (docs/decisions/0032). */

it('after a session that the server does not know, all answers of open assessments stay: the server may be a restored backup', async () => {
  const done = { userId: sam, instanceId: 'i3', questionId: 'q1', edit: 'done' }
  await db.instances.put({ userId: sam, instanceId: 'i3', summary: { status: 'COMPLETED' }, languages: [], finish: null } as never)
  await db.answers.put({ ...done, sectionName: 'Section1', value: { q1: 'secret-done' }, base: 0 })
  await db.receipts.put({ ...done, revision: 1 })
  addPendingClearing({ userId: sam, keepUnsent: true, keepOpen: true })
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
  addPendingClearing({ userId: 'u3', keepUnsent: true })
  expect(await unsentOfOthers(sam)).toMatchObject({ isSendable: true })
  // discarded, and about to be removed
  addPendingClearing({ userId: 'u3', keepUnsent: false })
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
    addPendingClearing({ userId: sam, keepUnsent: false })
    signedIn(userId)
    await clearPending()
    expect(await leftOf(sam)).toBe('[]')
    expect([sam, alex].map((one) => localStorage.getItem(`touchline.reads.${one}`))).toEqual([null, 'a name'])
    expect(pendingClearings()).toEqual([])
  })

  it('stays noted while the database fails', async () => {
    addPendingClearing({ userId: sam, keepUnsent: true })
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
    addPendingClearing({ userId: sam, keepUnsent: false, endsSession: 's' })
    signedIn(sam)
    await clearPending()
    expect(pendingClearings()).toHaveLength(1)
    beginSession('later')
    await clearPending()
    expect([await leftOf(sam), pendingClearings()]).toEqual([before, []])
  })

  it('is left alone when its owner has signed in again', async () => {
    const before = await leftOf(sam)
    addPendingClearing({ userId: sam, keepUnsent: false })
    signedIn(sam)
    await clearPending()
    expect([await leftOf(sam), pendingClearings()]).toEqual([before, []])
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
    addPendingClearing({ userId: alex, keepUnsent: true, endsSession: 's' })
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
    addPendingClearing({ userId: alex, keepUnsent, endsSession: 's' })
    expect(mayStore(alex)).toBe(keepUnsent)
    expect(mayStoreReads(alex)).toBe(false)
  })
})
