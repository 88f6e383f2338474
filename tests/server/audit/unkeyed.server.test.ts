import { createHash, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweepAudit } from '#server/audit/sweep.ts'
import { adoptUnkeyed, findBrokenUnkeyed } from '#server/audit/unkeyed-store.ts'
import { movableClock } from '#tests/support/person.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

const DAY_SECONDS = 86_400

/** The log that builds wrote before seals had a key: it stays as it was, and can no longer be resealed. */
describe('the audit log without a key', () => {
  let server: TestServer
  let clock: ReturnType<typeof movableClock>
  let said: [level: string, details: unknown][]

  beforeEach(async () => {
    clock = movableClock()
    server = await startServer({ clock })
    // written by the start
    await expect.poll(() => server.deps.media.read('audit/heads.json', 100_000)).toBeInstanceOf(Buffer)
    said = []
    await write(1, 5)
    expect(await adoptUnkeyed(server.deps.db, clock.now())).toBe('adopted')
  })
  afterEach(() => server.close())

  const sql = async (text: string) => (await server.deps.db.execute(text)).rows
  const marks = async () => (await server.rows('audit_entries')).map(({ event, about }) => [event, about])

  /** Writes entries as those builds did. */
  async function write(first: number, last: number, event = 'signed-in'): Promise<void> {
    const before = await server.deps.db.execute<{ seal: string }>(`select seal from audit_log where id = ${first - 1}`)
    let previous = before.rows[0]?.seal ?? ''
    for (let id = first; id <= last; id += 1) {
      const [at, userId, about] = [clock.now().toISOString(), randomUUID(), `session-${id}`]
      const seal = createHash('sha256')
        .update(JSON.stringify([id, at, event, userId, about, previous]))
        .digest('base64url')
      await sql(`insert into audit_log values (${id}, '${at}', '${event}', '${userId}', '${about}', '${previous}', '${seal}')`)
      previous = seal
    }
  }

  async function sweepLater(days: number): Promise<unknown[]> {
    // at the hour when all of it is read
    clock.forward(days * DAY_SECONDS - ((clock.now().getTime() / 1000) % DAY_SECONDS))
    said = []
    const say = (level: string) => (details: unknown) => void said.push([level, details])
    const log = { error: say('error'), warn: say('warn'), info: say('info') } as unknown as TestServer['deps']['log'] // all it uses
    await sweepAudit({ ...server.deps, log })
    return said.filter(([level]) => level === 'error').map(([, details]) => details)
  }

  test('is intact, and adopted once', async () => {
    expect(await findBrokenUnkeyed(server.deps.db)).toBeUndefined()
    expect(await adoptUnkeyed(server.deps.db, clock.now())).toBe('nothing')
    expect(await sweepLater(1)).toEqual([])
    expect((await marks()).map(([event]) => event)).toEqual(['adopted'])
  })

  test.each([
    ['a changed event', `update audit_log set event = 'purchased' where id = 3`, 3, 'changed'],
    ['a removed entry', 'delete from audit_log where id = 3', 4, 'changed'],
    ['the removal of the first entries', 'delete from audit_log where id < 3', 3, 'changed'],
    ['the removal of the last entries', 'delete from audit_log where id > 3', 4, 'cut off'],
    ['the removal of all entries', 'delete from audit_log', 1, 'cut off'],
  ])('detects %s', async (_what, tamper, entry, why) => {
    await sql(tamper)
    expect(await sweepLater(1)).toEqual([{ stream: 'unkeyed', entry, why }])
  })

  test('detects that it was rewritten and resealed', async () => {
    await sql('delete from audit_log')
    await write(1, 5, 'purchased')
    expect(await sweepLater(1)).toEqual([{ stream: 'unkeyed', entry: 5, why: 'changed' }])
  })

  test('an earlier build may run in between: its entries are adopted, with a warning', async () => {
    await write(6, 7)
    expect(await sweepLater(1)).toEqual([])
    expect(said.map(([level]) => level)).toEqual(['warn', 'info'])
    expect(await sweepLater(1)).toEqual([])
    expect(said.map(([level]) => level)).toEqual(['info'])
    await sql('delete from audit_log where id > 5')
    expect(await sweepLater(1)).toEqual([{ stream: 'unkeyed', entry: 6, why: 'cut off' }])
  })

  test('is deleted after 400 days', async () => {
    clock.forward(10 * DAY_SECONDS)
    await write(6, 7)
    expect(await sweepLater(395)).toEqual([])
    expect((await server.rows('audit_log')).map(({ id }) => Number(id))).toEqual([6, 7])
    expect(await sweepLater(1)).toEqual([])
    expect(await sweepLater(400)).toEqual([])
    expect(await server.rows('audit_log')).toEqual([])
    expect(await sweepLater(1)).toEqual([])
  })
})

test.runIf(engines.includes('postgres'))('a start adopts the entries that an earlier build wrote', async () => {
  const { location, drop } = await emptyDatabase('postgres')
  const first = await startServer({ location })
  await first.deps.db.execute(`insert into audit_log values (1, now(), 'signed-in', null, 'a', '', 'seal')`)
  await first.close()
  const second = await startServer({ location })
  expect(await second.rows('audit_entries')).toMatchObject([{ event: 'adopted', about: '1:seal' }])
  await second.close()
  await drop()
})
