import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { holdConnections } from '#tests/support/held-connections.ts'
import { ask, signIn, type Reply } from '#tests/support/person.ts'
import { ownCluster, type OwnCluster } from '#tests/support/own-cluster.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { givenServer, startServer } from '#tests/support/start-server.ts'
import { useAtOnce } from './support.ts'
import { poolTo } from '#tests/support/postgres.ts'

const hasPostgres = engines.includes('postgres')
const UNAVAILABLE = [503, 'UNAVAILABLE', '1']
const refusalIn = ({ status, body, headers }: Reply<{ code?: string }>) => [status, body.code, headers.get('retry-after')]

describe.each(engines)('failures of the database (%s)', (database) => {
  // read-only, full, out of memory, too many connections, shutting down, deadlock, lock not available, took too long
  const codes = ['25006', '53100', '53200', '53300', '57P01', '57P03', '40P01', '40001', '55P03', '57014', '08006']

  const server = givenServer({ database })

  test.each(codes)('%s is 503 with Retry-After, until the failure is over', async (code) => {
    const { db } = server.deps
    await db.execute(
      sql.raw(
        `create or replace function fail() returns trigger language plpgsql as $$ begin raise exception using errcode = '${code}'; end $$`,
      ),
    )
    await db.execute(sql`create trigger failing before insert on sign_in_challenges for each row execute function fail()`)
    const begin = () => ask(server, 'POST', 'user/auth/initiate', { body: { email: `sam.${code}@club.test`, userTypeCode: 'player' } })
    expect(refusalIn(await begin())).toEqual(UNAVAILABLE)
    await db.execute(sql`drop trigger failing on sign_in_challenges`)
    expect((await begin()).status).toBe(200)
  })

  test('a wrong statement is an internal error', async () => {
    const { db } = server.deps
    await db.execute(sql`alter table sign_in_challenges rename to gone`)
    const begun = await ask(server, 'POST', 'user/auth/initiate', { body: { email: 'sam@club.test', userTypeCode: 'player' } })
    await db.execute(sql`alter table gone rename to sign_in_challenges`)
    expect([begun.status, begun.body.code]).toEqual([500, 'INTERNAL'])
  })

  test('a call that the database does not reply to is 503 in time, health sooner, and both work once it replies again', async () => {
    const connections = 2
    const { location, drop } = await emptyDatabase(database)
    const slow = await startServer({
      location: 'url' in location ? { ...location, connections } : location,
      env: { CALL_TIMEOUT_SECONDS: '3' },
    })
    onTestFinished(async () => {
      await slow.close()
      await drop()
    })
    const person = await signIn(slow, 'sam@club.test')
    const { db } = slow.deps
    const release = await holdConnections(db, database === 'embedded' ? 1 : connections)
    const since = performance.now()
    const took = async (asked: Promise<Reply<{ code?: string }>>) => [...refusalIn(await asked), performance.now() - since] as const
    const [health, call] = await Promise.all([
      took(ask(slow, 'GET', 'health')),
      took(ask(slow, 'PATCH', `user/${person.userId}`, { bearer: person.accessToken, body: { firstName: 'Sam' } })),
    ])
    expect(health.slice(0, 3)).toEqual(UNAVAILABLE)
    expect(call.slice(0, 3)).toEqual(UNAVAILABLE)
    expect(health[3]).toBeLessThan(2500)
    expect(call[3]).toBeLessThan(10_000)
    await release()
    expect((await ask(slow, 'GET', 'health')).status).toBe(200)
    expect((await ask(slow, 'GET', `user/${person.userId}`, { bearer: person.accessToken })).status).toBe(200)
  })
})

describe.runIf(hasPostgres)('a database that takes no writes', () => {
  test('makes saves and health 503, and both work again without a restart once it takes writes', async () => {
    const server = await startServer({ database: 'postgres' })
    onTestFinished(server.close)
    const person = await signIn(server, 'sam@club.test')
    const save = () => ask(server, 'PATCH', `user/${person.userId}`, { bearer: person.accessToken, body: { firstName: 'Sam' } })
    expect((await save()).status).toBe(200)
    const admin = poolTo(server.databaseUrl ?? '', 1)
    const name = new URL(server.databaseUrl ?? '').pathname.slice(1)
    const setReadOnly = async (value: string) => {
      await admin.query('set default_transaction_read_only = off')
      await admin.query(`alter database ${name} set default_transaction_read_only = ${value}`)
    }
    await setReadOnly('on')
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`)
    // the first save may still get a connection that was cut
    await save()
    expect(refusalIn(await save())).toEqual(UNAVAILABLE)
    expect(refusalIn(await ask(server, 'GET', 'health'))).toEqual(UNAVAILABLE)
    // stored data can still be read
    expect((await ask(server, 'GET', `user/${person.userId}`, { bearer: person.accessToken })).status).toBe(200)
    await setReadOnly('off')
    await admin.end()
    // connections opened while it was read-only are dropped one by one, each by the first call that gets it
    while ((await ask(server, 'GET', 'health')).status !== 200);
    expect((await save()).status).toBe(200)
  })
})

describe.runIf(hasPostgres)('a database that lets nobody in', () => {
  test.each([
    ['the user', '28000', (_name: string, user: string) => [`alter role ${user} nologin`, `alter role ${user} login`]],
    [
      'that database',
      '55000',
      (name: string) => [`alter database ${name} allow_connections false`, `alter database ${name} allow_connections true`],
    ],
    [
      'its old name',
      '3D000',
      (name: string) => [`alter database ${name} rename to ${name}_x`, `alter database ${name}_x rename to ${name}`],
    ],
  ])('by %s (%s) makes calls 503, and they work again without a restart', async (_what, _code, statementsFor) => {
    const { location, drop } = await emptyDatabase('postgres')
    if (!('url' in location)) throw new Error('no address')
    const name = new URL(location.url).pathname.slice(1)
    const user = `${name}_user`
    const admin = poolTo(location.url.replace(name, 'postgres'), 1)
    await admin.query(`create role ${user} superuser login password 'secret'`)
    const address = new URL(location.url)
    Object.assign(address, { username: user, password: 'secret' })
    const server = await startServer({ location: { url: address.href, connections: 4 } })
    onTestFinished(async () => {
      await server.close()
      await drop()
      await admin.query(`drop role ${user}`)
      await admin.end()
    })
    const person = await signIn(server, 'sam@club.test')
    const save = () => ask(server, 'PATCH', `user/${person.userId}`, { bearer: person.accessToken, body: { firstName: 'Sam' } })
    const end = () => admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${user}'`)
    const [shut = '', open = ''] = statementsFor(name, user)
    await end()
    // renaming waits until all connections have ended
    while ((await admin.query(shut).catch(() => undefined)) === undefined) await end()
    await end()
    for (let call = 0; call < 6; call += 1) expect(refusalIn(await save())).toEqual(UNAVAILABLE)
    expect(refusalIn(await ask(server, 'GET', 'health'))).toEqual(UNAVAILABLE)
    await admin.query(open)
    while ((await ask(server, 'GET', 'health')).status !== 200);
    expect((await save()).status).toBe(200)
  })
})

describe.runIf(hasPostgres && process.platform === 'linux')('a frozen PostgreSQL', () => {
  let own: OwnCluster
  beforeAll(async () => {
    own = await ownCluster(['fsync=off'])
    await own.cluster.start()
  }, 120_000)
  afterAll(() => own.remove())

  test('makes every call 503 in time, and afterwards the pool has all its connections again', async () => {
    const connections = 4
    const server = await startServer({ location: { url: own.cluster.url, connections }, env: { CALL_TIMEOUT_SECONDS: '3' } })
    onTestFinished(server.close)
    const person = await signIn(server, 'sam@club.test')
    const save = () => ask(server, 'PATCH', `user/${person.userId}`, { bearer: person.accessToken, body: { firstName: 'Sam' } })
    const { db } = server.deps
    // in use while it freezes; of the others the calls may use one alone, as those that arrive together share it
    const used = Array.from({ length: 2 }, () => Promise.withResolvers<number>())
    const afterFreeze = Promise.withResolvers<void>()
    const using = Promise.allSettled(
      used.map(({ resolve }) =>
        db.transaction(async (tx) => {
          const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
          resolve(rows[0]?.pid ?? 0)
          await afterFreeze.promise
          await tx.execute(sql`select 1`)
        }),
      ),
    )
    const frozen = await Promise.all(used.map(({ promise }) => promise))
    await own.cluster.freeze()
    onTestFinished(() => own.cluster.thaw())
    const since = performance.now()
    afterFreeze.resolve()
    const health = ask(server, 'GET', 'health').then((reply) => [refusalIn(reply), performance.now() - since] as const)
    const calls = Array.from({ length: connections * 3 }, save)
    const [healthOutcome, tookHealth] = await health
    expect(healthOutcome).toEqual(UNAVAILABLE)
    expect(tookHealth).toBeLessThan(2500)
    for (const reply of await Promise.all(calls)) expect(refusalIn(reply)).toEqual(UNAVAILABLE)
    expect(performance.now() - since).toBeLessThan(15_000)
    expect((await using).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await own.cluster.thaw()
    while ((await ask(server, 'GET', 'health')).status !== 200);
    expect((await save()).status).toBe(200)
    // those that got no reply are not used again: it would be taken for the reply to what they are asked next
    expect((await useAtOnce(db, connections)).filter((pid) => frozen.includes(pid))).toEqual([])
  }, 90_000)
})
