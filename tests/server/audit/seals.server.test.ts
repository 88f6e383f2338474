import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bindSealKeys, seal, sealKeysOf } from '#server/audit/seals.ts'
import { appendAuditEntry, appendAuditEntries, STREAMS, type AuditEntry } from '#server/audit/store.ts'
import { trimOldEntries } from '#server/audit/trim-store.ts'
import { verifyStream } from '#server/audit/verify-store.ts'
import { sweepAudit } from '#server/audit/sweep.ts'
import { openDatabase } from '#server/db/open.ts'
import { movableClock, signIn } from '#tests/support/person.ts'
import { engines } from '#tests/support/databases.ts'
import { givenServer, type TestServer } from '#tests/support/start-server.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

interface Entry {
  [column: string]: unknown
  stream: number
  seq: number
  at: string
  event: string
  user_id: string | null
  about: string
  key: string
  seal: string
}

const entriesOf = (count: number): AuditEntry[] =>
  Array.from({ length: count }, (_, place) => ({ event: 'purchased', userId: null, about: `order-${place}` }))

/** Changes to the audit log are detected, even those of somebody who can write to the database. PRIVACY-9 */
describe.each(engines)('the seals of the audit log (%s)', (database) => {
  const clock = movableClock()
  /** what the last sweep logged, with the level */
  let said: [level: string, details: unknown][]

  const server = givenServer({ database, clock })
  beforeEach(() => {
    said = []
  })

  const sql = async (text: string) => (await server.deps.db.execute(text)).rows
  const say = (level: string) => (details: unknown) => void said.push([level, details])
  // a sweep uses no other method of a log
  const log = () => ({ error: say('error'), warn: say('warn'), info: say('info') }) as unknown as TestServer['deps']['log']
  const sweep = () => sweepAudit({ ...server.deps, log: log() })
  /** Sweeps some hours later: one, as the server does. */
  const sweepLater = async (hours = 1) => {
    clock.forward(hours * HOUR_SECONDS)
    said = []
    await sweep()
  }
  const errors = () => said.filter(([level]) => level === 'error').map(([, details]) => details)
  const entries = async (stream?: number) => {
    const rows = (await sql(`select e.*, at::text as at, seq::int as seq from audit_entries e`)) as Entry[]
    return rows.filter((row) => stream === undefined || row.stream === stream).toSorted((a, b) => a.seq - b.seq)
  }
  const emptyLog = async () => {
    await sql('delete from audit_entries')
    await sql('delete from audit_heads')
    await sql('insert into audit_heads (stream) select generate_series(0, 63)')
  }
  const brokenAnywhere = async () => {
    const verdicts = await Promise.all(
      Array.from({ length: STREAMS }, (_, stream) => verifyStream(server.deps.db, stream, undefined, true)),
    )
    return verdicts.filter(({ isIntact }) => !isIntact)
  }

  test('a start with an empty log stores that it was empty, so the first sweep does not warn', async () => {
    await expect.poll(() => server.deps.media.read('audit/heads.json', 100_000)).toBeInstanceOf(Buffer)
    clock.forward(HOUR_SECONDS)
    await sweep()
    expect(said.map(([level]) => level)).toEqual(['info'])
  })

  test('a sweep stores the heads of all streams outside the database, signed, and logs them', async () => {
    await signIn(server, 'first@club.test')
    await server.deps.media.remove('audit/heads.json')
    await sweepLater()
    expect(said.map(([level]) => level)).toEqual(['warn', 'info'])
    const stored = await server.deps.media.read('audit/heads.json', 100_000)
    const heads = JSON.parse(String(stored)) as { heads: unknown[]; entries: number }
    expect(heads.heads).toHaveLength(STREAMS)
    expect(heads.entries).toBe((await entries()).length)
    expect(said.at(-1)).toEqual(['info', { heads }])
    await sweepLater()
    expect(said.map(([level]) => level)).toEqual(['info'])
  })

  test('only one of several processes sweeps', async () => {
    await sweepLater()
    said = []
    await sweep()
    expect(said).toEqual([])
  })

  test('the log stays intact when 12 sign-ins write to it at once', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, place) => signIn(server, `crowd${place}@club.test`)))
    expect(await brokenAnywhere()).toEqual([])
    await sweepLater()
    expect(errors()).toEqual([])
  })

  describe('detect', () => {
    let stream: number
    let before: Entry[]

    /** A stream with entries 1 to 6, of which the last sweep saw the first three. */
    beforeEach(async () => {
      await emptyLog()
      await server.deps.media.remove('audit/heads.json')
      await appendAuditEntries(server.deps.db, entriesOf(3), clock.now())
      stream = (await entries())[0]?.stream ?? -1
      // all of a stream is read at one hour of the day: this sweep reads it, and the one 24 hours later
      const hour = Math.floor(clock.now().getTime() / HOUR_SECONDS / 1000)
      await sweepLater(24 + ((stream - hour) % 24))
      // without the heads of the other streams, the next entries go to this one
      await sql(`create table other_heads as select * from audit_heads where stream <> ${stream}`)
      await sql(`delete from audit_heads where stream <> ${stream}`)
      await appendAuditEntries(server.deps.db, entriesOf(3), clock.now())
      await sql('insert into audit_heads select * from other_heads')
      await sql('drop table other_heads')
      before = await entries(stream)
      expect(before.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
    })
    afterEach(async () => {
      // each later sweep reports the same
      expect(errors().length).toBeGreaterThan(0)
      const again = errors()
      await sweepLater(24)
      expect(errors()).toEqual(again)
    })

    const at = (seq: number) => `where stream = ${stream} and seq = ${seq}`
    const setHead = (seq: number) =>
      sql(`update audit_heads set seq = ${seq}, seal = '${before[seq - 1]?.seal ?? ''}' where stream = ${stream}`)

    test.each([
      ['a changed event', () => sql(`update audit_entries set event = 'signed-in' ${at(5)}`), 5, 'changed'],
      ['a changed time', () => sql(`update audit_entries set at = at + interval '1 ms' ${at(5)}`), 5, 'changed'],
      ['a changed person', () => sql(`update audit_entries set user_id = gen_random_uuid() ${at(5)}`), 5, 'changed'],
      ['a change of what an entry is about', () => sql(`update audit_entries set about = 'order-9' ${at(5)}`), 5, 'changed'],
      ['a removed entry', () => sql(`delete from audit_entries ${at(5)}`), 6, 'missing'],
      ['the removal of the last entries', () => sql(`delete from audit_entries where stream = ${stream} and seq > 4`), 5, 'not its head'],
      [
        'the removal of the last entries and their head, including some that the last sweep saw',
        async () => {
          await sql(`delete from audit_entries where stream = ${stream} and seq > 2`)
          await setHead(2)
        },
        3,
        'cut off',
      ],
      [
        'an emptied stream',
        async () => {
          await sql(`delete from audit_entries where stream = ${stream}`)
          await setHead(0)
        },
        1,
        'cut off',
      ],
      ['a removed head', () => sql(`delete from audit_heads where stream = ${stream}`), 7, 'not its head'],
      [
        'an inserted entry',
        () =>
          sql(`insert into audit_entries (stream, seq, at, event, user_id, about, key, seal)
            select stream, 7, at, event, user_id, about, key, seal from audit_entries ${at(6)}`),
        7,
        'changed',
      ],
      [
        'the removal of the first entries, with a forged entry that says they were trimmed',
        async () => {
          await sql(`delete from audit_entries where stream = ${stream} and seq < 3`)
          await sql(`insert into audit_entries (stream, seq, at, event, about, key, seal)
            values (${stream}, -1, now(), 'trimmed', '2:${before[1]?.seal}', '${before[1]?.key}', '')`)
        },
        3,
        'missing',
      ],
    ] as [string, () => Promise<unknown>, number, string][])('%s', async (_what, tamper, entry, why) => {
      await tamper()
      await sweepLater(24)
      expect(errors()).toContainEqual({ stream, entry, why })
    })

    test.each([
      ['streams beyond the ones in use', () => sql('insert into audit_heads (stream) select generate_series(64, 999)'), 64, 0],
      ['an entry in a stream beyond the ones in use', () => copyOfLast(99, 7), 99, 7],
      ['an entry before the first', () => copyOfLast(stream, -3), undefined, -3],
    ] as [string, () => Promise<unknown>, number | undefined, number][])('%s', async (_what, tamper, where, entry) => {
      await tamper()
      const there = await entries()
      for (let time = 0; time < 3; time += 1) await appendAuditEntries(server.deps.db, entriesOf(3), clock.now())
      await sweepLater()
      expect(errors()).toEqual([{ stream: where ?? stream, entry, why: 'outside' }])
      const written = (await entries()).filter(({ seal }) => !there.some((one) => one.seal === seal))
      expect(written.filter((one) => one.stream >= STREAMS)).toEqual([])
    })

    const copyOfLast = (to: number, seq: number) =>
      sql(`insert into audit_entries (stream, seq, at, event, user_id, about, key, seal)
        select ${to}, ${seq}, at, event, user_id, about, key, seal from audit_entries ${at(6)}`)

    /** Changes every event, and seals all entries again with this key. */
    async function rewrite(secret: string): Promise<void> {
      let previous = ''
      for (const row of before) {
        const content = [stream, row.seq, new Date(row.at).toISOString(), 'signed-in', row.user_id, row.about, row.key, previous]
        previous = seal({ name: row.key, secret }, 'entry', content)
        await sql(`update audit_entries set event = 'signed-in', seal = '${previous}' ${at(row.seq)}`)
      }
      await sql(`update audit_heads set seal = '${previous}' where stream = ${stream}`)
    }

    test('all entries rewritten and resealed without the key', async () => {
      await rewrite('a guess')
      await sweepLater(24)
      expect(errors()).toEqual([{ stream, entry: 1, why: 'changed' }])
    })

    test('all entries rewritten and resealed with the key itself', async () => {
      await rewrite(server.deps.keys.auditKeys[0])
      await sweepLater(24)
      expect(errors()).toEqual([{ stream, entry: 3, why: 'changed' }])
    })

    test('forged heads outside the database', async () => {
      const stored = String(await server.deps.media.read('audit/heads.json', 100_000))
      await server.deps.media.write('audit/heads.json', Buffer.from(stored.replace(`[${stream},3,`, `[${stream},2,`)), 'application/json')
      await sweepLater()
      expect(errors()).toHaveLength(1)
    })
  })

  describe('over time', () => {
    beforeEach(async () => {
      await emptyLog()
      await server.deps.media.remove('audit/heads.json')
    })

    test('entries before the last sweep are verified again within a day, and then by each sweep until they are intact', async () => {
      await appendAuditEntries(server.deps.db, entriesOf(5), clock.now())
      await sweepLater()
      await sql(`update audit_entries set event = 'signed-in' where seq = 2`)
      const found: number[] = []
      for (let hour = 1; hour <= 24; hour += 1) {
        await sweepLater()
        if (errors().length > 0) found.push(hour)
      }
      const [first = 0] = found
      expect(found).toEqual(Array.from({ length: 24 - first + 1 }, (_, place) => first + place))
      expect(first).toBeGreaterThan(0)
      await sql(`update audit_entries set event = 'purchased' where seq = 2`)
      await sweepLater()
      expect(said.map(([level]) => level)).toEqual(['info'])
    })

    test('entries that a clock that was behind has dated too early take no younger ones with them', async () => {
      const { db } = server.deps
      clock.forward(500 * DAY_SECONDS)
      // in nearly every stream
      for (let time = 0; time < 200; time += 1)
        await appendAuditEntry(db, { event: 'purchased', userId: null, about: 'young' }, clock.now())
      const behind = new Date(clock.now().getTime() - 450 * DAY_SECONDS * 1000)
      for (let time = 0; time < 50; time += 1) await appendAuditEntry(db, { event: 'purchased', userId: null, about: 'behind' }, behind)
      await sweepLater()
      expect(errors()).toEqual([])
      expect((await entries()).filter(({ about }) => about === 'young')).toHaveLength(200)
      expect(await brokenAnywhere()).toEqual([])
    })

    test('keys can be rotated, and an entry whose key is missing is reported', async () => {
      const { db, keys } = server.deps
      await appendAuditEntry(db, { event: 'purchased', userId: null, about: 'before' }, clock.now())
      bindSealKeys(db, ['another key', ...keys.auditKeys])
      await appendAuditEntry(db, { event: 'purchased', userId: null, about: 'after' }, clock.now())
      await sweepLater()
      expect(errors()).toEqual([])
      expect(new Set((await entries()).map(({ key }) => key)).size).toBe(2)
      bindSealKeys(db, keys.auditKeys)
      await server.deps.media.remove('audit/heads.json')
      await sweepLater()
      expect(errors()).toEqual([expect.objectContaining({ why: 'unknown key' })])
      expect(sealKeysOf(db)).toHaveLength(1)
    })

    test('entries are deleted after 400 days and the log stays intact; other deletions are detected', async () => {
      await appendAuditEntries(server.deps.db, entriesOf(3), clock.now())
      await sweepLater()
      clock.forward(401 * DAY_SECONDS)
      await signIn(server, 'later@club.test')
      await sweepLater()
      expect(errors()).toEqual([])
      expect((await entries()).map(({ event }) => event).toSorted()).toEqual(['signed-in', 'trimmed'])
      expect(await brokenAnywhere()).toEqual([])
      await sweepLater(24)
      expect(errors()).toEqual([])
      expect(await entries()).toHaveLength(2)
      await sql(`delete from audit_entries where event = 'trimmed'`)
      expect(await brokenAnywhere()).toHaveLength(1)
    })
  })
})

describe.runIf(engines.includes('postgres'))('writers of the audit log', () => {
  const WRITERS = 80
  const server = givenServer({ database: 'postgres' })

  test('do not wait for another transaction', async () => {
    const { db, clock } = server.deps
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    const holding = db.transaction(async (tx) => {
      await appendAuditEntry(tx, { event: 'purchased', userId: null, about: 'slow' }, clock.now())
      await ended
    })
    const signIns = Promise.all([0, 1, 2].map((time) => signIn(server, `other${time}@club.test`)))
    // if they waited for it, none of these would return
    const outcome = await Promise.race([signIns.then(() => 'signed in'), delay(20_000, 'waiting', { ref: false })])
    end()
    await Promise.all([holding, signIns])
    expect(outcome).toBe('signed in')
  })

  test('do not make the log look broken during a trim', async () => {
    const { db, clock } = server.deps
    await appendAuditEntries(db, entriesOf(5), clock.now())
    const found = await db.execute<{ stream: number; seq: number }>('select stream, seq::int as seq from audit_heads where seq > 4')
    // more than five where somebody signed in on that stream before
    const { stream, seq } = found.rows[0] ?? { stream: -1, seq: 0 }
    const isWaiting = async () => {
      const { rows } = await db.execute(`select 1 from pg_locks where not granted and relation = 'audit_entries'::regclass`)
      return rows.length > 0
    }
    const look = await db.transaction(async (tx) => {
      await tx.execute('lock table audit_entries in access exclusive mode')
      const looking = verifyStream(db, stream, undefined, true)
      // wait until it has read the head, and waits for the entries
      while (!(await isWaiting())) await new Promise(setImmediate)
      await trimOldEntries(tx, new Date(clock.now().getTime() + 402 * DAY_SECONDS * 1000))
      return { looking }
    })
    expect(await look.looking).toMatchObject({ isIntact: true })
    expect(await verifyStream(db, stream, undefined, true)).toMatchObject({ isIntact: true, head: { seq: seq + 1 } })
  })

  test('may outnumber the streams and write repeatedly: no deadlock, and nothing is lost', async () => {
    const wide = await openDatabase({ url: server.databaseUrl ?? '', connections: WRITERS }, () => {})
    bindSealKeys(wide.db, server.deps.keys.auditKeys)
    const now = server.deps.clock.now()
    const write = (writer: number) =>
      wide.db.transaction(async (tx) => {
        for (const time of [1, 2, 3]) await appendAuditEntry(tx, { event: 'reclaimed', userId: null, about: `${writer}.${time}` }, now)
      })
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
    const rows = await server.rows('audit_entries')
    expect(rows.filter(({ event }) => event === 'reclaimed')).toHaveLength(WRITERS * 3)
    for (let stream = 0; stream < STREAMS; stream += 1) {
      expect(await verifyStream(wide.db, stream, undefined, true)).toMatchObject({ isIntact: true })
    }
    await wide.close()
  })
})
