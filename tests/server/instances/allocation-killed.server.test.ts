import { describe, expect, onTestFinished, test } from 'vitest'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { tokens } from '#contract/tokens.ts'
import { installation, signInAt } from '#tests/support/installation.ts'
import { ask, type Reply } from '#tests/support/person.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { ASSESSMENT } from './support.ts'
import { poolTo } from '#tests/support/postgres.ts'
import { waitFor } from '#tests/support/wait-for.ts'

// the server starts twice, which takes long on a busy machine
const START_TWICE = 180_000
const COACH = 'coach@demo.test'

/** A demo on this engine; `url` is null for the embedded database, which takes no second connection. */
async function demo(database: (typeof engines)[number]) {
  if (database === 'embedded') return { url: null, ...(await installation()) }
  const { location, drop } = await emptyDatabase('postgres')
  onTestFinished(drop)
  const url = 'url' in location ? location.url : ''
  return { url, ...(await installation({ DATABASE_URL: url })) }
}

/** A coach's calls to the server at an address. */
function coachAt(address: string, bearer: string) {
  const server = { address }
  const allocate = (email: string, operationId: string) =>
    ask<AllocatedInstance>(server, 'POST', 'assessment/assessment-instance/allocate', {
      bearer,
      body: { playerEmail: email, assessmentId: ASSESSMENT, operationId },
    })
  const counts = async () => {
    const { total, used, available, tokens: rows } = (await ask<ReplyOf<typeof tokens.list>>(server, 'GET', 'tokens', { bearer })).body
    return { total, used, available, rows: rows.length }
  }
  return { allocate, counts }
}

/** The reply, or undefined if the server was killed first. */
const orNothing = (asked: Promise<Reply<AllocatedInstance>>) => asked.catch(() => undefined)

describe.each(engines)('a server killed while it allocates (%s)', (database) => {
  test(
    'the same operations, sent again, get the same replies, and none is carried out twice',
    async () => {
      const { address, start, kill } = await demo(database)
      await start()
      const coach = coachAt(address, await signInAt(address, COACH))
      const before = await coach.counts()
      const wanted = Array.from({ length: 8 }, (_, index) => [`killed${index}@club.test`, crypto.randomUUID()] as const)
      const asked = wanted.map(([email, operationId]) => orNothing(coach.allocate(email, operationId)))
      // by now some are done, with or without a reply, and some have not begun
      await Promise.race(asked)
      await kill()
      const first = await Promise.all(asked)
      await start()
      const again = await Promise.all(wanted.map(([email, operationId]) => coach.allocate(email, operationId)))
      for (const [place, { status, body }] of again.entries()) {
        expect(status).toBe(201)
        // after its start the server sends the mails that waited, so `invitation` may have changed
        if (first[place]) expect(body).toEqual({ ...first[place].body, invitation: body.invitation })
      }
      expect(new Set(again.map(({ body }) => body.instanceId)).size).toBe(wanted.length)
      const used = before.used + wanted.length
      expect(await coach.counts()).toEqual({ ...before, used, available: before.total - used })
    },
    START_TWICE,
  )
})

describe.runIf(engines.includes('postgres'))('a server killed at one moment of an allocation', () => {
  // other test files use other databases of the same cluster
  const ADVISORY = `select count(*) n from pg_locks join pg_database on oid = database
    where datname = current_database() and locktype = 'advisory'`

  const WAITING = `select count(*) n from pg_locks join pg_database on oid = database
    where datname = current_database() and relation = 'audit_heads'::regclass and not granted`

  /** Another connection to the same database. */
  async function lookInto(url: string | null) {
    const pool = poolTo(url ?? '', 2)
    onTestFinished(() => pool.end())
    const count = async (text: string, values: unknown[] = []) => Number((await pool.query<{ n: string }>(text, values)).rows[0]?.n)
    return { pool, count }
  }

  test(
    'just before its commit: nothing is stored, and the same operation succeeds when sent again',
    async () => {
      const { address, start, kill, url } = await demo('postgres')
      await start()
      const coach = coachAt(address, await signInAt(address, COACH))
      const before = await coach.counts()
      const { pool, count } = await lookInto(url)
      // the allocation's last statement waits for this lock
      const holder = await pool.connect()
      await holder.query('begin; lock table audit_heads in exclusive mode')
      const operationId = crypto.randomUUID()
      const asked = orNothing(coach.allocate('killed@club.test', operationId))
      await waitFor(async () => (await count(WAITING)) > 0)
      await kill()
      expect(await asked).toBeUndefined()
      await holder.query('rollback')
      holder.release()
      await waitFor(async () => (await count(ADVISORY)) === 0)
      expect(await count(`select count(*) n from instances where email = 'killed@club.test'`)).toBe(0)
      expect(await count('select count(*) n from mails where instance_id is not null')).toBe(0)
      await start()
      expect(await coach.counts()).toEqual(before)
      expect((await coach.allocate('killed@club.test', operationId)).status).toBe(201)
      expect(await coach.counts()).toMatchObject({ used: before.used + 1 })
    },
    START_TWICE,
  )

  test(
    'just after its commit: the same operation gets its reply, and takes no second token',
    async () => {
      const { address, start, kill, url } = await demo('postgres')
      await start()
      const coach = coachAt(address, await signInAt(address, COACH))
      const before = await coach.counts()
      const { count } = await lookInto(url)
      const operationId = crypto.randomUUID()
      const asked = orNothing(coach.allocate('killed@club.test', operationId))
      await waitFor(async () => (await count('select count(*) n from allocations where operation_id = $1', [operationId])) === 1)
      await kill()
      const first = await asked
      await start()
      const again = await coach.allocate('killed@club.test', operationId)
      expect(again.status).toBe(201)
      // as above
      if (first) expect(again.body).toEqual({ ...first.body, invitation: again.body.invitation })
      expect(await coach.counts()).toMatchObject({ used: before.used + 1, available: before.available - 1 })
      expect(await count(`select count(*) n from instances where email = 'killed@club.test'`)).toBe(1)
    },
    START_TWICE,
  )
})
