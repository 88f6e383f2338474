import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isDatabaseDown } from '#server/db/failures.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase, type OpenOptions } from '#server/db/open.ts'
import { relayTo } from '#tests/support/relay.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { useAtOnce } from './support.ts'

const CONNECTIONS = 3

/** An empty database behind a relay that can break the connection. */
async function overLine(options: OpenOptions = {}) {
  const { location, drop } = await emptyDatabase('postgres')
  if (!('url' in location)) throw new Error('no address')
  const line = await relayTo(location.url)
  const errors: unknown[] = []
  let heard = () => {}
  const hear = (error: unknown) => {
    errors.push(error)
    heard()
  }
  const { db, close } = await openDatabase({ url: line.url, connections: CONNECTIONS }, hear, options)
  await db.execute(sql`create table kept (id int primary key)`)
  onTestFinished(async () => {
    await close()
    await line.cut()
    await drop()
  })
  /** resolves at the next error outside a query */
  const nextError = () =>
    new Promise<void>((resolve) => {
      heard = resolve
    })
  const ids = async () => (await db.execute<{ id: number }>(sql`select id from kept order by id`)).rows.map(({ id }) => id)
  return { db, line, errors, nextError, ids }
}

const failureOf = (doing: Promise<unknown>) => doing.then(() => 'nothing failed').catch((error: unknown) => error)

describe.runIf(engines.includes('postgres'))('a connection that breaks inside a transaction', () => {
  test('while idle, is logged and does not end the process', async () => {
    const { db, line, errors, nextError, ids } = await overLine()
    const failure = await failureOf(
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into kept values (1)`)
        const broken = nextError()
        line.interrupt()
        await broken
        await tx.execute(sql`insert into kept values (2)`)
      }),
    )
    expect(isDatabaseDown(failure)).toBe(true)
    expect(errors.length).toBeGreaterThan(0)
    expect(await ids()).toEqual([])
    await useAtOnce(db, CONNECTIONS)
  })

  test.each(['begin', 'insert into kept', 'savepoint', 'commit', 'rollback'])('at its %s, is released and replaced', async (words) => {
    const { db, line } = await overLine()
    // more often than the pool has connections
    for (let id = 1; id <= CONNECTIONS * 2; id += 1) {
      line.breakAt(new RegExp(words))
      const failure = await failureOf(
        db.transaction(async (tx) => {
          await tx.transaction((inner) => inner.execute(sql`insert into kept values (${id})`))
          if (words === 'rollback') throw new Error('for a reason of its own')
        }),
      )
      if (words === 'rollback') expect(failure).toMatchObject({ message: 'for a reason of its own' })
      else expect(isDatabaseDown(failure)).toBe(true)
      line.breakAt(undefined)
    }
    await useAtOnce(db, CONNECTIONS)
  })
})

describe.each(engines)('a transaction (%s)', (engine) => {
  async function open() {
    const { location, drop } = await emptyDatabase(engine)
    const { db, close } = await openDatabase(location, () => {})
    await migrate(db)
    await db.execute(sql`create table kept (id int primary key)`)
    onTestFinished(async () => {
      await close()
      await drop()
    })
    return { db, ids: async () => (await db.execute<{ id: number }>(sql`select id from kept order by id`)).rows.map(({ id }) => id) }
  }

  test('nested in another can fail alone', async () => {
    const { db, ids } = await open()
    await db.transaction(async (tx) => {
      await tx.execute(sql`insert into kept values (1)`)
      const failing = tx.transaction(async (inner) => {
        await inner.execute(sql`insert into kept values (2)`)
        throw new Error('inside')
      })
      await expect(failing).rejects.toThrow('inside')
      await tx.execute(sql`insert into kept values (3)`)
    })
    expect(await ids()).toEqual([1, 3])
  })

  test('that throws stores nothing; a read-only one cannot write', async () => {
    const { db, ids } = await open()
    const failing = db.transaction(async (tx) => {
      await tx.execute(sql`insert into kept values (1)`)
      throw new Error('at the end')
    })
    await expect(failing).rejects.toThrow('at the end')
    const reading = db.transaction((tx) => tx.execute(sql`insert into kept values (2)`), { accessMode: 'read only' })
    await expect(reading).rejects.toThrow()
    expect(await ids()).toEqual([])
  })
})

describe.runIf(engines.includes('postgres'))('a transaction that swallowed a failure', () => {
  test('reports on commit that it was rolled back', async () => {
    const { db, ids } = await overLine()
    const swallowing = db.transaction(async (tx) => {
      await tx.execute(sql`insert into kept values (1)`)
      await failureOf(tx.execute(sql`insert into kept values (1)`))
    })
    await expect(swallowing).rejects.toThrow('rolled back')
    expect(await ids()).toEqual([])
  })
})

describe.runIf(engines.includes('postgres'))('time limits', () => {
  test('a slow statement, a lock and an abandoned transaction time out, and the pool loses no connection', async () => {
    const { db, ids } = await overLine({ callSeconds: 3 })
    const codeOf = async (doing: Promise<unknown>) => {
      const failure = await failureOf(doing)
      expect(isDatabaseDown(failure)).toBe(true)
      return (failure as { cause?: { code?: string } }).cause?.code
    }
    expect(await codeOf(db.execute(sql`select pg_sleep(60)`))).toBe('57014')
    await db.execute(sql`insert into kept values (1)`)
    await db.transaction(async (tx) => {
      await tx.execute(sql`select id from kept for update`)
      expect(await codeOf(db.execute(sql`update kept set id = 2`))).toBe('55P03')
    })
    const idle = db.transaction(async (tx) => {
      await tx.execute(sql`insert into kept values (3)`)
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await waitFor(async () => (await db.execute(sql`select from pg_stat_activity where pid = ${rows[0]?.pid}`)).rows.length === 0)
      await tx.execute(sql`insert into kept values (4)`)
    })
    expect(isDatabaseDown(await failureOf(idle))).toBe(true)
    expect(await ids()).toEqual([1])
    await useAtOnce(db, CONNECTIONS)
  })
})
