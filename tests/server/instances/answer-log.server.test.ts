import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SaveBody, SaveReply } from '#contract/instances.ts'
import { ASSESSMENT_ID, currentVersionOf } from '#server/content/content.ts'
import { arrayLiteral } from '#server/db/array-literal.ts'
import type { Database } from '#server/db/database.ts'
import { dropOldLog, inItsMonth, makeLogPartitions } from '#server/instances/answer-log-store.ts'
import { eraseAccount } from '#server/users/store.ts'
import { engines } from '#tests/support/databases.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { waitFor } from '#tests/support/wait-for.ts'

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
  async function giveInstanceOf(month: string, person = player): Promise<string> {
    const id = await server.giveInstance(person)
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

  describe('of which much must stay', () => {
    const EACH = 700

    /** Open instances of that month, by turns of these people, each with so many saves. */
    async function giveManyOf(month: string, people: Person[]): Promise<string[]> {
      const ids: string[] = []
      for (let each = 0; each < 45; each += 1) ids.push(await giveInstanceOf(month, people[each % people.length]))
      await fill(ids)
      return ids
    }
    const fill = (ids: string[]) =>
      db().execute(sql`insert into answer_log (instance_id, operation_id, revision, groups, superseded, at, log_month)
        select id, gen_random_uuid(), save, '[]', '[]', now(), log_month
          from instances, generate_series(1, ${EACH}) save where id = any(${arrayLiteral(ids)}::uuid[])`)

    const due = (month: string) => monthLater(month, MONTHS + 1)
    const close = (id: string) => db().execute(sql`update instances set status = 'RECLAIMED', reclaimed_at = now() where id = ${id}`)
    const countIn = async (table: string) =>
      (await rowsOf<{ count: number }>(sql`select count(*)::int as count from ${sql.identifier(table)}`))[0]?.count
    /** How many saves each of them has, all different ones. */
    const savesOf = async (ids: string[]) => {
      const rows = await rowsOf<{ id: string; saves: number; all: number }>(
        sql`select instance_id as id, count(distinct operation_id)::int as saves, count(*)::int as all from answer_log group by 1`,
      )
      expect(rows.filter(({ saves, all }) => saves !== all)).toEqual([])
      return ids.map((id) => rows.find((row) => row.id === id)?.saves ?? 0)
    }

    /** The database, with what is done before each commit, and after it. */
    function watched(before: (tx: Database) => Promise<void>, after: (done: number) => Promise<void> = async () => {}): Database {
      let done = 0
      const transaction: Database['transaction'] = async (work, config) => {
        const result = await db().transaction(async (tx) => {
          const of = await work(tx)
          await before(tx)
          return of
        }, config)
        done += 1
        await after(done)
        return result
      }
      return Object.create(db(), { transaction: { value: transaction } }) as Database // which delegates all else
    }
    const nothing = async () => {}

    test('moves it in pieces, locks what saves need only when all is moved, and lets saves through in between', async () => {
      const ids = await giveManyOf('2021_04', [player])
      const steps: { moved: number; isLocked: boolean }[] = []
      const sweep = watched(
        async (tx) => {
          const { rows } = await tx.execute<{ moved: number; isLocked: boolean }>(sql`select count(*)::int as moved, exists (
            select from pg_locks where pid = pg_backend_pid() and mode = 'AccessExclusiveLock' and relation = 'answer_log'::regclass) as "isLocked"
            from answer_log_other`)
          steps.push(...rows)
        },
        async (done) => {
          if (done === 4) return
          for (const id of [ids.at(0) ?? '', ids.at(-1) ?? '', await server.giveInstance(player)])
            expect((await save(bodyOf(id, done === 2 ? 'B' : 'A'))).status).toBe(200)
        },
      )
      expect(await dropOldLog(sweep, due('2021_04'), MONTHS)).toEqual(['answer_log_2021_04'])
      const saved = ids.map((_, at) => EACH + (at === 0 || at === ids.length - 1 ? 3 : 0))
      expect(steps.map(({ isLocked }) => isLocked)).toEqual([false, false, false, true])
      expect(steps[0]?.moved).toBe(20 * EACH)
      expect(await savesOf(ids)).toEqual(saved)
      expect(await countIn('answer_log_other')).toBe(45 * EACH + 6)
      for (const id of ids) await close(id)
      expect(await dropOldLog(db(), due('2021_04'), MONTHS)).toEqual([])
      expect(await countIn('answer_log_other')).toBe(0)
    })

    test('goes on after a crash; what was completed or erased in between leaves nothing', async () => {
      const leaver = await signIn(server, `leaver${count}@club.test`)
      const ids = await giveManyOf('2021_05', [player, leaver])
      const [ofPlayer, ofLeaver] = [ids.filter((_, at) => at % 2 === 0), ids.filter((_, at) => at % 2 === 1)]
      const over: string[] = []
      const crashing = watched(nothing, async (done) => {
        if (done === 2) throw new Error('killed')
        const places = await Promise.all(ofLeaver.map(tableOf))
        expect([...new Set(places.flat())].toSorted()).toEqual(['answer_log_2021_05', 'answer_log_other'])
        expect(await eraseAccount(db(), leaver.userId, new Date())).toBe(true)
        expect(await savesOf(ofLeaver)).toEqual(ofLeaver.map(() => 0))
        for (const id of ofPlayer) if ((await tableOf(id))[0] === 'answer_log_2021_05') over.push(id)
        over.splice(2)
        for (const id of over) await close(id)
      })
      await expect(dropOldLog(crashing, due('2021_05'), MONTHS)).rejects.toThrow('killed')
      expect(over).toHaveLength(2)
      expect(await tables()).toContain('answer_log_2021_05')
      expect(await savesOf(ids)).toEqual(ids.map((id) => (ofPlayer.includes(id) ? EACH : 0)))

      expect(await dropOldLog(db(), due('2021_05'), MONTHS)).toEqual(['answer_log_2021_05'])
      expect(await savesOf(ids)).toEqual(ids.map((id) => (ofPlayer.includes(id) && !over.includes(id) ? EACH : 0)))
      expect(await countIn('answer_log_other')).toBe((ofPlayer.length - over.length) * EACH)
      for (const id of ofPlayer) await close(id)
      await dropOldLog(db(), due('2021_05'), MONTHS)
    })

    test('lets saves wait for few of its rows when their partition is made late', async () => {
      const [{ month, name }] = (await rowsOf<{ month: string; name: string }>(
        sql`select to_char(month, 'YYYY_MM') as month, 'answer_log_' || to_char(month, 'YYYY_MM') as name
              from (select date_trunc('month', now() at time zone 'UTC') + interval '2 months' as month) ahead`,
      )) as [{ month: string; name: string }]
      await db().execute(sql`drop table ${sql.identifier(name)}`)
      const ids: string[] = []
      for (let each = 0; each < 45; each += 1) ids.push(await server.giveInstance(player))
      await db().execute(sql`update instances set log_month = to_date(${month}, 'YYYY_MM') where id = any(${arrayLiteral(ids)}::uuid[])`)
      await fill(ids)
      expect(await countIn('answer_log_other')).toBe(45 * EACH)
      const steps: number[] = []
      await makeLogPartitions(watched(nothing, async (done) => void steps.push(done)))
      expect(steps).toHaveLength(4)
      expect(await tables()).toContain(name)
      expect(await countIn(name)).toBe(0)
      expect(await savesOf(ids)).toEqual(ids.map(() => EACH))
      const late = await server.giveInstance(player)
      await db().execute(sql`update instances set log_month = to_date(${month}, 'YYYY_MM') where id = ${late}`)
      for (const id of [ids[0] ?? '', late]) expect((await save(bodyOf(id))).status).toBe(200)
      expect([await tableOf(late), [...new Set(await tableOf(ids[0] ?? ''))]]).toEqual([[name], ['answer_log_other']])
      for (const id of ids) await close(id)
    })

    test('keeps a partition of which an instance was missed for the next sweep', async () => {
      const [open, missed] = [await giveInstanceOf('2021_06'), await giveInstanceOf('2021_06')]
      for (const id of [open, missed]) expect((await save(bodyOf(id))).status).toBe(200)
      await close(missed)
      const reopening = watched(nothing, async (done) => {
        if (done === 1) await db().execute(sql`update instances set status = 'IN_PROGRESS', reclaimed_at = null where id = ${missed}`)
      })
      expect(await dropOldLog(reopening, due('2021_06'), MONTHS)).toEqual([])
      expect([await tableOf(open), await tableOf(missed)]).toEqual([['answer_log_other'], ['answer_log_2021_06']])
      expect(await dropOldLog(db(), due('2021_06'), MONTHS)).toEqual(['answer_log_2021_06'])
      expect([await tableOf(open), await tableOf(missed)]).toEqual([['answer_log_other'], ['answer_log_other']])
    })

    test.runIf(database === 'postgres')('a save or an erasure that waits while its instance moves finds all of it', async () => {
      const leaver = await signIn(server, `waiter${count}@club.test`)
      const [kept, gone] = [await giveInstanceOf('2021_07'), await giveInstanceOf('2021_07', leaver)]
      const body = bodyOf(kept)
      const first = await save(body)
      expect(first.status).toBe(200)
      await db().execute(sql`insert into answer_log (instance_id, operation_id, groups, superseded, at, log_month)
        select id, gen_random_uuid(), '[]', '[]', now(), log_month from instances where id = ${gone}`)
      const waiting: Promise<unknown>[] = []
      const sweep = watched(async (tx) => {
        if (waiting.length > 0) return
        waiting.push(save(bodyOf(kept, 'B')), eraseAccount(db(), leaver.userId, new Date()))
        const waits = async () =>
          (await tx.execute(sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)).rows
        await expect.poll(waits, { timeout: 10_000 }).toHaveLength(2)
      })
      // like the sweep's job it tries again while the erasure, which is not done yet, has the partition
      expect(await waitFor(() => dropOldLog(sweep, due('2021_07'), MONTHS))).toEqual(['answer_log_2021_07'])
      expect(await Promise.all(waiting)).toEqual([expect.objectContaining({ status: 200 }), true])
      expect([await tableOf(kept), await tableOf(gone)]).toEqual([['answer_log_other', 'answer_log_other'], []])
      expect(await save(body)).toMatchObject({ status: 200, body: first.body })
    })
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
