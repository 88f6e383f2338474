import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SaveBody, SaveReply } from '#contract/instances.ts'
import { currentVersionOf } from '#server/content/content.ts'
import { ASSESSMENT_ID } from '#server/db/seed.ts'
import { dropOldLog, inItsMonth, makeLogPartitions } from '#server/instances/answer-log-store.ts'
import { engines } from '#tests/support/databases.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'

const MONTHS = 24
const monthLater = (month: string, months: number) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1 + months, 1))

/** PRIVACY-11: the log of saves is in parts by the month in which an instance was made, and old parts are dropped. */
describe.each(engines)('the log of saves (%s)', (database) => {
  const server = givenServer({ database })
  const db = () => server.deps.db
  let count = 0
  let player: Person
  beforeEach(async () => {
    count += 1
    player = await signIn(server, `log${count}@club.test`)
  })

  const rowsOf = async <Row extends Record<string, unknown>>(query: ReturnType<typeof sql>) => (await db().execute<Row>(query)).rows
  const tables = async () =>
    (
      await rowsOf<{ name: string }>(
        sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'answer_log'::regclass order by 1`,
      )
    ).map(({ name }) => name)
  const tableOf = async (id: string) =>
    (await rowsOf<{ name: string }>(sql`select tableoid::regclass::text as name from answer_log where instance_id = ${id}`)).map(
      ({ name }) => name,
    )
  const thisMonth = async () =>
    (await rowsOf<{ month: string }>(sql`select to_char(now() at time zone 'UTC', 'YYYY_MM') as month`))[0]?.month ?? ''

  function bodyOf(instanceId: string, answer: 'A' | 'B' = 'A'): SaveBody {
    const operation = {
      id: crypto.randomUUID(),
      device: crypto.randomUUID(),
      contentVersion: currentVersionOf(ASSESSMENT_ID),
      groups: [{ questionId: 's2-q01', base: 0 }],
    }
    return { instanceId, responses: [{ sectionName: 'Section2', id: 's2-q01', answer }], operation }
  }
  const save = (body: SaveBody) =>
    ask<SaveReply & { code?: string }>(server, 'POST', 'assessment/assessment-instance/responses', { bearer: player.accessToken, body })

  /** As if the instance had been made in that month, whose partition there is. */
  async function giveInstanceOf(month: string): Promise<string> {
    const id = await server.giveInstance(player)
    await db().execute(
      sql`create table if not exists ${sql.identifier(`answer_log_${month}`)} (like answer_log, primary key (instance_id, operation_id))`,
    )
    const day = `${month.replace('_', '-')}-01`
    const isThere = (await tables()).includes(`answer_log_${month}`)
    if (!isThere) await db().execute(sql.raw(`alter table answer_log attach partition answer_log_${month} for values in ('${day}')`))
    await db().execute(sql`update instances set log_month = ${day}::date where id = ${id}`)
    return id
  }

  test('has partitions for this month and the next two after the start', async () => {
    const month = await thisMonth()
    const names = [0, 1, 2].map((more) => `answer_log_${monthLater(month, more).toISOString().slice(0, 7).replace('-', '_')}`)
    expect(await tables()).toEqual([...names, 'answer_log_before', 'answer_log_other'])
    const id = await server.giveInstance(player)
    expect((await save(bodyOf(id))).status).toBe(200)
    expect(await tableOf(id)).toEqual([names[0]])
  })

  test('accepts a save whose partition is missing and moves it there once it exists; a repeat gets the same reply', async () => {
    const month = await thisMonth()
    await db().execute(sql.raw(`drop table answer_log_${month}`))
    const id = await server.giveInstance(player)
    const body = bodyOf(id)
    const first = await save(body)
    expect(first.status).toBe(200)
    expect(await tableOf(id)).toEqual(['answer_log_other'])
    expect(await save(body)).toMatchObject({ status: 200, body: first.body })
    await Promise.all([makeLogPartitions(db()), makeLogPartitions(db())])
    expect(await tableOf(id)).toEqual([`answer_log_${month}`])
    expect(await save(body)).toMatchObject({ status: 200, body: first.body })
    expect((await save({ ...body, responses: [] })).body.code).toBe('OPERATION_MISMATCH')
  })

  test('drops a partition once its month is old enough, not sooner; instances that are still open keep their saves', async () => {
    const [open, done] = [await giveInstanceOf('2021_03'), await giveInstanceOf('2021_03')]
    const [ofOpen, ofDone] = [bodyOf(open), bodyOf(done)]
    const first = await save(ofOpen)
    expect([first.status, (await save(ofDone)).status]).toEqual([200, 200])
    await db().execute(sql`update instances set status = 'RECLAIMED', reclaimed_at = now() where id = ${done}`)

    const due = monthLater('2021_03', MONTHS + 1)
    expect(await dropOldLog(db(), new Date(due.getTime() - 1), MONTHS)).toEqual([])
    expect(await tableOf(done)).toEqual(['answer_log_2021_03'])
    expect(await dropOldLog(db(), due, MONTHS)).toEqual(['answer_log_2021_03'])
    expect(await tables()).not.toContain('answer_log_2021_03')
    expect([await tableOf(open), await tableOf(done)]).toEqual([['answer_log_other'], []])

    expect(await save(ofOpen)).toMatchObject({ status: 200, body: first.body })
    const next = await save(bodyOf(open, 'B'))
    expect(next.body).toMatchObject({ revision: 2, groups: [] })
    await db().execute(sql`update instances set status = 'RECLAIMED', reclaimed_at = now() where id = ${open}`)
    expect(await dropOldLog(db(), due, MONTHS)).toEqual([])
    expect(await tableOf(open)).toEqual([])
  })

  test('reads only one partition for a repeated save', async () => {
    const id = await server.giveInstance(player)
    expect((await save(bodyOf(id))).status).toBe(200)
    const plan = await rowsOf<Record<string, string>>(
      sql`explain (analyze, costs off, timing off, summary off) select groups from answer_log where instance_id = ${id} and ${inItsMonth(id)}`,
    )
    const scans = plan.flatMap((line) => Object.values(line)).filter((line) => /Scan/.test(line) && /answer_log_/.test(line))
    const partsOf = (lines: string[]) => new Set(lines.map((line) => /answer_log_(?:\d{4}_\d\d|before|other)/.exec(line)?.[0]))
    expect(partsOf(scans).size).toBeGreaterThan(3)
    expect(partsOf(scans.filter((line) => !line.includes('never executed')))).toEqual(new Set([`answer_log_${await thisMonth()}`]))
  })

  test('drops the partition from builds without partitions equally long after the upgrade', async () => {
    const month = await thisMonth()
    const later = (months: number) => monthLater(month, months)
    expect(await dropOldLog(db(), later(MONTHS), MONTHS)).toEqual([])
    expect(await dropOldLog(db(), later(MONTHS + 1), MONTHS)).toEqual([`answer_log_${month}`, 'answer_log_before'])
  })
})
