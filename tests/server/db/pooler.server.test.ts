import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { ask, signIn } from '#tests/support/person.ts'
import { PGBOUNCER, startPooler } from '#tests/support/pooler.ts'
import { relayTo } from '#tests/support/relay.ts'
import { allocate, allocatedTo, coachWith } from '#tests/server/instances/support.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { startServer } from '#tests/support/start-server.ts'

const NAME = 'live_sessions'

async function postgres() {
  const { location, drop } = await emptyDatabase('postgres')
  onTestFinished(drop)
  if (!('url' in location)) throw new Error('no address')
  return location.url
}

/** The address of a database behind pgbouncer. */
async function pooled(url: string, settings: string[] = []): Promise<string> {
  const { port, pathname } = new URL(url)
  const pooler = await startPooler(Number(port), settings)
  onTestFinished(pooler.end)
  return `postgres://postgres@127.0.0.1:${pooler.port}${pathname}`
}

/** Signs in, and calls as that person from many connections at once; then a coach sends invitations, which are jobs. */
async function statusesOf(url: string, env: Record<string, string> = {}) {
  const server = await startServer({ location: { url, connections: 8 }, env })
  onTestFinished(server.close)
  const person = await signIn(server, 'sam@club.test')
  const calls = Array.from({ length: 150 }, (_, index) =>
    index % 3 === 0
      ? ask(server, 'PATCH', `user/${person.userId}`, { bearer: person.accessToken, body: { firstName: `Sam${index}` } })
      : ask(server, 'GET', `user/${person.userId}`, { bearer: person.accessToken }),
  )
  const statuses = new Set((await Promise.all(calls)).map(({ status }) => status))
  const coach = await coachWith(server, 'coach@club.test', 10)
  await Promise.all(Array.from({ length: 10 }, (_, place) => allocate(server, coach, `p${place}@club.test`)))
  await server.deps.jobs.settled('mails')
  expect((await allocatedTo(server, coach)).map(({ invitation }) => invitation)).toEqual(Array.from({ length: 10 }, () => 'sent'))
  return statuses
}

describe.runIf(engines.includes('postgres'))('statements', () => {
  test.each([
    ['prepared by name', 'none', true],
    ['not prepared behind a pooler', 'transaction', false],
  ] as const)('are %s', async (_what, pooler, isNamed) => {
    const line = await relayTo(await postgres())
    expect(await statusesOf(line.url, { DATABASE_POOLER: pooler })).toEqual(new Set([200]))
    expect(line.said().includes(NAME)).toBe(isNamed)
    // in the message that prepares a statement, its name is between the length and the text
    expect(/P\0[\s\S]{3}\w+\0(select|insert|update|delete|with) /i.test(line.said())).toBe(isNamed)
    // time limits are set per connection, or per transaction behind a pooler
    expect(line.said().includes('set local idle_in_transaction_session_timeout')).toBe(!isNamed)
  })
})

describe.runIf(engines.includes('postgres') && PGBOUNCER !== undefined)('behind a transaction-mode pooler', () => {
  const drops = ['ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout']
  test.each([
    ['refuses', []],
    ['drops', drops],
  ])('that %s our time limits, the start detects and announces it, and every call works', async (_, settings) => {
    const url = await pooled(await postgres(), settings)
    const lines: string[] = []
    const { close } = await openDatabase({ url }, () => {}, { announce: (line) => lines.push(line) })
    await close()
    expect(lines).toEqual([expect.stringContaining('DATABASE_POOLER=transaction')])
    expect(await statusesOf(url)).toEqual(new Set([200]))
  })

  test('every call works with the right setting, and a start with the wrong setting fails and names it', async () => {
    const url = await pooled(await postgres())
    expect(await statusesOf(url, { DATABASE_POOLER: 'transaction' })).toEqual(new Set([200]))
    for (const wrong of [url, await pooled(await postgres(), drops)])
      await expect(openDatabase({ url: wrong }, () => {}, { pooler: 'none' })).rejects.toThrow('DATABASE_POOLER is none')
  })

  test('one in statement mode fails the start, which names its setting', async () => {
    for (const settings of [[], drops]) {
      const url = await pooled(await postgres(), ['pool_mode = statement', ...settings])
      await expect(openDatabase({ url }, () => {}, {})).rejects.toThrow(/^DATABASE_URL .* Set its pool_mode to transaction/)
    }
  })
})
