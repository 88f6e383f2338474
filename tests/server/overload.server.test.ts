import { expect, onTestFinished, test } from 'vitest'
import { wordsOf } from '#server/words/words.ts'
import { engines } from '#tests/support/databases.ts'
import { freePort } from '#tests/support/free-port.ts'
import { metricsOf } from '#tests/support/metrics.ts'
import { ask, signIn } from '#tests/support/person.ts'
import { poolTo } from '#tests/support/postgres.ts'
import { startServer } from '#tests/support/start-server.ts'

const WAIT_MS = 2000

/** A server that works on one call at a time, and a table that can be locked, so that a call which needs it does not end. */
async function started() {
  const lines: string[] = []
  const server = await startServer({
    database: 'postgres',
    env: { METRICS_PORT: String(await freePort()), LOG_LEVEL: 'warn' },
    callSlots: { count: 1, waitMs: WAIT_MS },
    logTo: { write: (line) => lines.push(line) },
  })
  onTestFinished(server.close)
  const admin = poolTo(server.databaseUrl ?? '', 1)
  return {
    server,
    lines,
    lock: async () => {
      await admin.query('begin')
      await admin.query('lock table assessments in access exclusive mode')
    },
    unlock: async () => {
      await admin.query('rollback')
      await admin.end()
    },
  }
}

test.runIf(engines.includes('postgres'))(
  'OPERATE-24: an overloaded server refuses calls by how long they waited, serves answers first, and never refuses probes',
  async () => {
    const { server, lines, lock, unlock } = await started()
    const player = await signIn(server, 'sam@club.test')
    const instanceId = await server.giveInstance(player)
    const bearer = player.accessToken
    const replies: string[] = []
    const list = async () => {
      const reply = await ask(server, 'GET', 'assessment', { bearer, headers: { 'accept-language': 'fr' } })
      replies.push(`list ${reply.status}`)
      return reply
    }
    const save = async () => {
      const responses = [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }]
      const body = { instanceId, responses }
      const reply = await ask(server, 'POST', 'assessment/assessment-instance/responses', { bearer, body })
      replies.push(`save ${reply.status}`)
      return reply
    }
    const calls = async (state: string) => (await metricsOf(server)).valueOf('touchline_calls', { state })

    await lock()
    const stuck = list()
    await expect.poll(() => calls('running')).toBe(1)
    const since = performance.now()
    for (const reply of await Promise.all([list(), save()])) {
      expect(performance.now() - since).toBeGreaterThan(WAIT_MS - 50)
      expect([reply.status, reply.body.code, reply.headers.get('retry-after')]).toEqual([503, 'OVERLOADED', '5'])
    }
    expect((await list()).body.message).toBe(wordsOf('fr').errors.OVERLOADED)
    expect((await ask(server, 'GET', 'health')).status).toBe(200)
    for (const probe of ['livez', 'readyz']) expect((await fetch(`${server.address}/${probe}`)).status).toBe(200)

    replies.length = 0
    const waiting = [list(), list(), save()]
    await expect.poll(() => calls('waiting')).toBe(3)
    await unlock()
    await Promise.all([stuck, ...waiting])
    expect(replies).toEqual(['list 200', 'save 200', 'list 200', 'list 200'])

    const { valueOf } = await metricsOf(server)
    expect(valueOf('touchline_overload_refusals_total', { rank: 'lists' })).toBe(2)
    expect(valueOf('touchline_overload_refusals_total', { rank: 'answers' })).toBe(1)
    expect(valueOf('touchline_refusals_total', { code: 'OVERLOADED' })).toBe(3)
    expect([await calls('running'), await calls('waiting')]).toEqual([0, 0])
    // once for all
    expect(lines.filter((line) => line.includes('more than this process can do'))).toHaveLength(1)
  },
)
