import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveReply, type SaveBody, type SaveReply } from '#contract/instances.ts'
import type { GroupValue } from '#contract/rules/questionnaire.ts'
import { hashOf, receiptOf } from '#contract/rules/receipt.ts'
import { currentVersionOf, sectionsOf } from '#server/content/content.ts'
import { migrate } from '#server/db/migrate.ts'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open.ts'
import { answersStore } from '#server/instances/answers-store.ts'
import { saveAnswers } from '#server/instances/save-answers.ts'
import { unmigratedDatabase, engines } from '#tests/support/databases.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../src/server/db/migrations/', import.meta.url))
const CONTENT = currentVersionOf('touchline-profile')
const AT = '2026-11-20T10:00:00.000Z'

const [userId, instanceId, phone, tablet] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]

/** A save as a device sent it: per question its answer and the revision that the edit was made on. */
function bodyOf(device: string, answers: Record<string, readonly [answer: string, base: number]>): SaveBody {
  const sent = Object.entries(answers)
  const groups = sent.map(([questionId, [, base]]) => ({ questionId, base }))
  return {
    instanceId,
    responses: sent.map(([id, [answer]]) => ({ sectionName: 'Section2', id, answer })),
    operation: { id: randomUUID(), device, contentVersion: CONTENT, groups },
  }
}

interface OldLine {
  questionId: string
  answer: string
  device: string | null
  base: number
  accepted: boolean
  revision: number
}

async function logAsBefore(db: Database, operationId: string | null, lines: OldLine[]): Promise<void> {
  for (const { questionId, answer, device, base, accepted, revision } of lines) {
    const value = JSON.stringify({ [questionId]: answer })
    await db.execute(sql`insert into answer_log (instance_id, question_id, value, device, operation_id, base, accepted, revision, at)
      values (${instanceId}, ${questionId}, ${value}, ${device}, ${operationId}, ${base}, ${accepted}, ${revision}, ${AT})`)
    if (!accepted) continue
    await db.execute(sql`insert into answer_groups (instance_id, question_id, value, revision, device, updated_at)
      values (${instanceId}, ${questionId}, ${value}, ${revision}, ${device}, ${AT})
      on conflict (instance_id, question_id) do update set value = excluded.value, revision = excluded.revision, device = excluded.device`)
  }
}

async function storeAsBefore(db: Database, { operation, responses }: SaveBody, lines: OldLine[], reply: SaveReply): Promise<void> {
  await logAsBefore(db, operation?.id ?? null, lines)
  const contentHash = hashOf(JSON.stringify([responses, operation?.groups, operation?.device]))
  await db.execute(sql`insert into operations (instance_id, id, content_hash, reply, at)
    values (${instanceId}, ${operation?.id}, ${contentHash}, ${JSON.stringify(reply)}, ${AT})`)
}

const replyOf = (revision: number, kept: Record<string, readonly [GroupValue, revision: number]>, superseded: SaveReply['superseded']) => ({
  completionStatus: 'IN_PROGRESS' as const,
  revision,
  ...receiptOf(Object.fromEntries(Object.entries(kept).map(([questionId, [value]]) => [questionId, value]))),
  groups: Object.entries(kept).map(([questionId, [, group]]) => ({ questionId, revision: group })),
  superseded,
})

test.each(engines)('operations stored before each had one log row still get the same reply (%s)', async (engine) => {
  const earlier = await mkdtemp(join(tmpdir(), 'touchline-earlier-'))
  await cp(MIGRATIONS, earlier, { recursive: true })
  for (const name of await readdir(earlier)) if (name >= '0010' && name.endsWith('.sql')) await rm(join(earlier, name))
  const { location, drop } = await unmigratedDatabase(engine)
  const { db, close } = await openDatabase(location, () => {})
  await migrate(db, pathToFileURL(`${earlier}/`))

  await db.execute(sql`insert into users (id, email, email_normal, user_type, created_at)
    values (${userId}, 'a@b.test', 'a@b.test', 'player', ${AT})`)
  await db.execute(sql`insert into assessments (id, prices, sample_report_filename, video_urls, content_version)
    values ('touchline-profile', '[]', 'sample.pdf', '[]', ${CONTENT})`)
  await db.execute(sql`insert into instances (id, assessment_id, content_version, user_id, email, email_normal, status, revision, created_at)
    values (${instanceId}, 'touchline-profile', ${CONTENT}, ${userId}, 'a@b.test', 'a@b.test', 'IN_PROGRESS', 4, ${AT})`)

  const line = { accepted: true, base: 0, revision: 1 }
  const first = bodyOf(phone, { 's2-q01': ['A', 0], 's2-q02': ['B', 0] })
  const firstReply = replyOf(1, { 's2-q01': [{ 's2-q01': 'A' }, 1], 's2-q02': [{ 's2-q02': 'B' }, 1] }, [])
  const firstLines = [
    { ...line, questionId: 's2-q01', answer: 'A', device: phone },
    { ...line, questionId: 's2-q02', answer: 'B', device: phone },
  ]
  await storeAsBefore(db, first, firstLines, firstReply)
  const second = bodyOf(tablet, { 's2-q01': ['B', 1] })
  const secondReply = replyOf(2, { 's2-q01': [{ 's2-q01': 'B' }, 2] }, [])
  await storeAsBefore(
    db,
    second,
    [{ questionId: 's2-q01', answer: 'B', device: tablet, base: 1, accepted: true, revision: 2 }],
    secondReply,
  )
  // a late answer, an unchanged one that was not logged, and a new one
  const third = bodyOf(phone, { 's2-q01': ['A', 1], 's2-q02': ['B', 1], 's2-q03': ['A', 0] })
  const late = { questionId: 's2-q01', revision: 2, value: { 's2-q01': 'B' } }
  const thirdReply = replyOf(3, { 's2-q02': [{ 's2-q02': 'B' }, 1], 's2-q03': [{ 's2-q03': 'A' }, 1] }, [late])
  const thirdLines = [
    { questionId: 's2-q01', answer: 'A', device: phone, base: 1, accepted: false, revision: 2 },
    { ...line, questionId: 's2-q03', answer: 'A', device: phone },
  ]
  await storeAsBefore(db, third, thirdLines, thirdReply)
  await logAsBefore(db, null, [{ ...line, questionId: 's2-q04', answer: 'B', device: null }])

  await migrate(db)

  const port = answersStore(db, () => new Date())
  const save = (body: SaveBody) => saveAnswers(port, (version) => sectionsOf(version, 'en'), userId, body)
  for (const [body, reply] of [
    [first, firstReply],
    [second, secondReply],
    [third, thirdReply],
  ] as const) {
    const outcome = await save(body)
    if (!('reply' in outcome)) throw new Error(outcome.refusal)
    expect(JSON.stringify(saveReply.parse(outcome.reply))).toBe(JSON.stringify(saveReply.parse(reply)))
  }
  expect(await save({ ...first, responses: [] })).toEqual({ refusal: 'OPERATION_MISMATCH' })

  const { rows } = await db.execute<{ groups: unknown; superseded: unknown }>(
    sql`select groups, superseded from answer_log where revision is null or revision = 3 order by revision`,
  )
  expect(rows).toEqual([
    {
      groups: [
        { questionId: 's2-q02', value: { 's2-q02': 'B' }, revision: 1, base: 0 },
        { questionId: 's2-q03', value: { 's2-q03': 'A' }, revision: 1, base: 0 },
      ],
      superseded: [{ questionId: 's2-q01', value: { 's2-q01': 'A' }, base: 1, current: { revision: 2, value: { 's2-q01': 'B' } } }],
    },
    { groups: [{ questionId: 's2-q04', value: { 's2-q04': 'B' }, revision: 1, base: 0 }], superseded: [] },
  ])
  expect(await save(bodyOf(tablet, { 's2-q04': ['A', 1] }))).toMatchObject({
    reply: { revision: 5, groups: [{ questionId: 's2-q04', revision: 2 }] },
  })
  await close()
  await drop()
  await rm(earlier, { recursive: true, force: true })
})
