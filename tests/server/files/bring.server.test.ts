import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seal } from '#app/device/seal.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Instance, SaveReply } from '#contract/instances.ts'
import type { FileContent, FileRow } from '#contract/rules/answers-file.ts'
import { fileSealOf } from '#server/instances/file-seal.ts'
import { answerGroups, answerLog } from '#server/db/schema/answers.ts'
import { instances } from '#server/db/schema/instances.ts'
import { engines } from '#tests/support/databases.ts'
import { ask, closeAccount, signIn, type Person } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { allocate, coachWith, complete, reclaim, save } from '../instances/support.ts'

/** POST assessment/answers-file over HTTP, with files that the portal's own code has sealed. ANSWERS-27, ANSWERS-28 */

type Counts = { stored: number; there: number; elsewhere: number; refused: number; code?: ErrorCode }

const pair = (n: string, answer: string | null, more: Partial<FileRow> = {}): FileRow => ({
  questionId: `s2-q${n}`,
  sectionName: 'Section2',
  value: { [`s2-q${n}`]: answer },
  base: 0,
  receipt: 0,
  isAcknowledged: false,
  ...more,
})

describe.each(engines)('bringing an answers file back (%s)', (database) => {
  const server = givenServer({ database, env: { MAILS_PER_HOUR: '1000', MAILS_PER_DAY: '1000' } })
  let player: Person
  let instanceId: string
  let read: Instance

  beforeAll(async () => {
    player = await signIn(server, 'sam@example.test')
  })
  beforeEach(async () => {
    instanceId = await server.giveInstance(player)
    read = await readAs(player)
  })

  const readAs = async (who: Person) =>
    (await ask<Instance>(server, 'GET', `assessment/assessment-instance/${instanceId}`, { bearer: who.accessToken })).body
  const contentOf = (rows: FileRow[], more: Partial<FileContent> = {}): FileContent => ({
    id: randomUUID(),
    device: randomUUID(),
    rows,
    known: [],
    saving: null,
    ...more,
  })
  const sealed = (content: FileContent, about: object = {}, fileSeal = read.fileSeal ?? '') =>
    seal(
      fileSeal,
      {
        kid: instanceId,
        sub: player.userId,
        contentVersion: read.contentVersion,
        answers: content.rows?.length ?? 0,
        savedAt: 1,
        ...about,
      },
      content,
    )
  const bring = (text: string) => ask<Counts>(server, 'POST', 'assessment/answers-file', { body: { file: text } })
  const bringContent = async (content: FileContent) => (await bring(`Touchline: answers\nMore.\n\n${sealed(content)}\n`)).body
  const counts = (stored: number, there = 0, elsewhere = 0, refused = 0) => ({ stored, there, elsewhere, refused })
  const answers = async () => Object.fromEntries((await readAs(player)).responses.map(({ id, answer }) => [id, answer]))
  const savedBy = async (device: string, n: string, answer: string, base: number, id = randomUUID()) =>
    ask<SaveReply & { code?: ErrorCode }>(server, 'POST', 'assessment/assessment-instance/responses', {
      bearer: player.accessToken,
      body: {
        instanceId,
        responses: [{ sectionName: 'Section2', id: `s2-q${n}`, answer }],
        operation: { id, device, contentVersion: read.contentVersion, groups: [{ questionId: `s2-q${n}`, base }] },
      },
    })

  test('anybody may bring it: the account gets its answers, and the reply has only counts', async () => {
    const reply = await bring(sealed(contentOf([pair('01', 'A'), pair('02', 'B')])))
    expect(reply).toMatchObject({ status: 200, body: counts(2) })
    expect(Object.keys(reply.body).toSorted()).toEqual(['elsewhere', 'refused', 'stored', 'there'])
    expect(await answers()).toEqual({ 's2-q01': 'A', 's2-q02': 'B' })
    expect((await readAs(player)).status).toBe('IN_PROGRESS')
  })

  test('brought twice, at once or later, it is stored once', async () => {
    const text = sealed(contentOf([pair('01', 'A')]))
    const all = await Promise.all(Array.from({ length: 8 }, () => bring(text)))
    expect(all.map(({ body }) => body)).toEqual(all.map(() => counts(1)))
    expect((await bring(text)).body).toEqual(counts(1))
    expect((await readAs(player)).groups).toEqual([{ questionId: 's2-q01', revision: 1 }])
  })

  test('answers that the account already has change nothing, not even the revision', async () => {
    const { device } = await firstSaved()
    expect(await bringContent(contentOf([pair('01', 'A')], { device }))).toEqual(counts(0, 1))
    expect((await readAs(player)).revision).toBe(1)
  })

  test('a newer answer, of the same device or another one, stays, and the file’s is only logged', async () => {
    const { device } = await firstSaved()
    const older = contentOf([pair('01', 'B')], { device })
    expect(await bringContent(older)).toEqual(counts(0, 0, 1))
    expect(await answers()).toEqual({ 's2-q01': 'A' })
    const rows = await server.deps.db.select().from(answerLog).where(eq(answerLog.operationId, older.id))
    expect(rows[0]?.superseded).toMatchObject([{ questionId: 's2-q01', value: { 's2-q01': 'B' } }])
    expect(await bringContent(contentOf([pair('01', 'B')]))).toEqual(counts(0, 0, 1))
    // what was acknowledged, the account had: nothing is said to be lost
    await savedBy(device, '01', 'B', 1)
    expect(await bringContent(contentOf([pair('01', 'A', { receipt: 1, isAcknowledged: true })], { device }))).toEqual(counts(0, 1))
  })

  test('an edit based on a revision that the device had seen or written is stored', async () => {
    const { device, id } = await firstSaved()
    expect(await bringContent(contentOf([pair('01', 'B', { base: 1 })]))).toEqual(counts(1))
    // the reply to a save was lost: the file knows its id
    await savedBy(device, '02', 'A', 0, id)
    const lost = randomUUID()
    await savedBy(device, '03', 'A', 0, lost)
    expect(await bringContent(contentOf([pair('03', 'B')], { device }))).toEqual(counts(0, 0, 1))
    expect(await bringContent(contentOf([pair('03', 'B')], { device, known: [lost], saving: lost }))).toEqual(counts(1))
    // and a later file of the device knows the earlier
    const earlier = contentOf([pair('04', 'A')], { device })
    await bringContent(earlier)
    expect(await bringContent(contentOf([pair('04', 'B')], { device, known: [earlier.id] }))).toEqual(counts(1))
  })

  test('the device’s own next save counts as having seen the file', async () => {
    const device = randomUUID()
    await bringContent(contentOf([pair('01', 'A')], { device }))
    expect((await savedBy(device, '01', 'B', 0)).body).toMatchObject({ superseded: [], groups: [{ questionId: 's2-q01', revision: 2 }] })
    expect((await savedBy(randomUUID(), '01', 'A', 0)).body.superseded).toHaveLength(1)
  })

  test('a save that was in progress when the file was made is not stored after it', async () => {
    const [device, saving] = [randomUUID(), randomUUID()]
    expect(await bringContent(contentOf([pair('01', 'B')], { device, known: [saving], saving }))).toEqual(counts(1))
    expect((await savedBy(device, '01', 'A', 0, saving)).body.code).toBe('OPERATION_MISMATCH')
    expect(await answers()).toEqual({ 's2-q01': 'B' })
  })

  test('groups that are refused do not stop the others', async () => {
    const rows = [
      pair('01', 'A'),
      pair('02', 'C'),
      pair('99', 'A'),
      { ...pair('03', 'A'), sectionName: 'Section1' },
      { ...pair('04', 'A'), value: { 's2-q04': 'A', 's2-q05': 'A' } },
      pair('01', 'B'),
    ]
    expect(await bringContent(contentOf(rows))).toEqual(counts(1, 0, 0, 5))
    expect(await answers()).toEqual({ 's2-q01': 'B' })
  })

  test('after a backup was restored it is applied again', async () => {
    const { db } = server.deps
    const text = sealed(contentOf([pair('01', 'A'), pair('02', 'B', { receipt: 7, isAcknowledged: true })]))
    await bring(text)
    for (const table of [answerLog, answerGroups]) await db.delete(table).where(eq(table.instanceId, instanceId))
    await db.update(instances).set({ revision: 0 }).where(eq(instances.id, instanceId))
    expect((await bring(text)).body).toEqual(counts(2))
    expect(await answers()).toEqual({ 's2-q01': 'A', 's2-q02': 'B' })
  })

  test('line breaks and quote marks added by a mail program do no harm', async () => {
    const text = sealed(contentOf([pair('01', 'A')]))
    const folded = text.replace(/.{76}/g, '$&\r\n> ')
    expect((await bring(`> Hello,\r\n> ${folded}\r\n\r\nSent from my phone`)).body).toEqual(counts(1))
  })

  test('anything but a complete file of ours is refused with the reason', async () => {
    const text = sealed(contentOf([pair('01', 'A')]))
    const codeOf = async (file: string) => {
      const { status, body } = await bring(file)
      return `${status} ${body.code}`
    }
    expect(await codeOf('')).toBe('400 NOT_AN_ANSWERS_FILE')
    expect(await codeOf('eyJhbGciOiJIUzI1NiJ9.e30.x')).toBe('400 NOT_AN_ANSWERS_FILE')
    expect(await codeOf(text.slice(0, -30))).toBe('400 ANSWERS_FILE_DAMAGED')
    expect(await codeOf(text.slice(0, 40))).toBe('400 ANSWERS_FILE_DAMAGED')
    const [header = '', , iv = '', ciphertext = '', tag = ''] = text.split('.')
    const other = (one: string) => (one.startsWith('A') ? `B${one.slice(1)}` : `A${one.slice(1)}`)
    expect(await codeOf([header, '', iv, other(ciphertext), tag].join('.'))).toBe('400 ANSWERS_FILE_DAMAGED')
    expect(await codeOf([header, '', other(iv), ciphertext, tag].join('.'))).toBe('400 ANSWERS_FILE_DAMAGED')
    expect(await codeOf([`${header}AA`, '', iv, ciphertext, tag].join('.'))).toBe('400 ANSWERS_FILE_DAMAGED')
    // the header says another instance: its key does not open it
    const about = JSON.parse(Buffer.from(header, 'base64url').toString()) as object
    const changed = Buffer.from(JSON.stringify({ ...about, kid: randomUUID() })).toString('base64url')
    expect(await codeOf([changed, '', iv, ciphertext, tag].join('.'))).toBe('400 ANSWERS_FILE_DAMAGED')
    // sealed rightly, with a content that is not one
    expect(await codeOf(sealed({ id: 'x' } as unknown as FileContent & { rows: [] }, { answers: 0 }))).toBe('400 ANSWERS_FILE_DAMAGED')
    const key = (read.fileSeal ?? '').split('.')[1]
    expect(await codeOf(sealed(contentOf([pair('01', 'A')]), {}, `elsewhere.${key}`))).toBe('409 ANSWERS_FILE_ELSEWHERE')
    expect(await answers()).toEqual({})
  })

  test('a file of another person, version or instance, or of a closed account, is refused', async () => {
    const codeOf = async (about: object, fileSeal?: string) =>
      (await bring(sealed(contentOf([pair('01', 'A')]), about, fileSeal))).body.code
    const { keys } = server.deps
    const stranger = await signIn(server, 'stranger@example.test')
    expect(await codeOf({ sub: stranger.userId }, fileSealOf(keys, instanceId, stranger.userId))).toBe('ANSWERS_FILE_UNKNOWN')
    const unknown = randomUUID()
    expect(await codeOf({ kid: unknown }, fileSealOf(keys, unknown, player.userId))).toBe('ANSWERS_FILE_UNKNOWN')
    expect(await codeOf({ kid: 'x' }, fileSealOf(keys, 'x', player.userId))).toBe('ANSWERS_FILE_UNKNOWN')
    expect(await codeOf({ contentVersion: 'touchline-profile-0' })).toBe('CONTENT_VERSION_MISMATCH')
    const leaver = await signIn(server, 'leaver@example.test')
    instanceId = await server.giveInstance(leaver)
    const about = { kid: instanceId, sub: leaver.userId }
    await closeAccount(server, leaver)
    expect(await codeOf(about, fileSealOf(keys, instanceId, leaver.userId))).toBe('ANSWERS_FILE_UNKNOWN')
  })

  test('a completed or reclaimed assessment accepts none; a repeat still gets its first reply', async () => {
    const text = sealed(contentOf([pair('01', 'A')]))
    await bring(text)
    await save(server, player, instanceId)
    await complete(server, player, instanceId)
    expect((await bring(text)).body).toEqual(counts(1))
    expect((await bring(sealed(contentOf([pair('01', 'B')])))).body.code).toBe('ALREADY_COMPLETED')

    const coach = await coachWith(server, 'coach@club.test', 1)
    const allocated = await allocate(server, coach, player.email)
    ;({ instanceId } = allocated.body)
    read = await readAs(player)
    await reclaim(server, coach, instanceId)
    expect((await bring(sealed(contentOf([pair('01', 'A')])))).body.code).toBe('INSTANCE_RECLAIMED')
  })

  test('the coach does not get the seal’s key', async () => {
    const coach = await coachWith(server, 'other-coach@club.test', 1)
    const allocated = await allocate(server, coach, player.email)
    ;({ instanceId } = allocated.body)
    expect((await readAs(coach)).fileSeal).toBeUndefined()
    expect((await readAs(player)).fileSeal).toMatch(/^[\w-]{12}\.[\w-]{43}$/)
  })

  async function firstSaved() {
    const [device, id] = [randomUUID(), randomUUID()]
    await savedBy(device, '01', 'A', 0)
    return { device, id }
  }
})
