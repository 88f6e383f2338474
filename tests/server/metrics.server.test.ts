import { createServer } from 'node:net'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { freePort } from '#tests/support/free-port.ts'
import { metricsOf, readMetrics } from '#tests/support/metrics.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { allocate, coachWith } from './instances/support.ts'
import { serverWithMail } from './mailer/support.ts'

const metricsPort = async () => ({ METRICS_PORT: String(await freePort()) })

async function started(env: Record<string, string> = {}): Promise<TestServer> {
  const server = await startServer({ env: { ...(await metricsPort()), ...env } })
  onTestFinished(server.close)
  return server
}

const save = (server: TestServer, { accessToken: bearer }: Person, instanceId: string, answer: string) =>
  ask(server, 'POST', 'assessment/assessment-instance/responses', {
    bearer,
    body: { instanceId, responses: [{ sectionName: 'Section2', id: 's2-q01', answer }] },
  })

describe('metrics', () => {
  test('are served at their own address, and nowhere else', async () => {
    const without = await startServer()
    onTestFinished(without.close)
    expect(without.metricsAddress).toBeNull()

    const server = await started()
    const { METRICS_PORT: _, ...seen } = { METRICS_PORT: '', address: server.metricsAddress ?? '' }
    expect(new URL(seen.address).port).not.toBe(new URL(server.address).port)
    expect(new URL(seen.address).hostname).toBe('127.0.0.1')
    const reply = await fetch(seen.address)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
    expect((await fetch(new URL('/', seen.address))).status).toBe(404)
    expect((await fetch(seen.address, { method: 'POST' })).status).toBe(404)
    for (const path of ['/metrics', '/api/metrics'])
      expect(await (await fetch(server.address + path)).text(), path).not.toContain('touchline_replies_total')
    await server.close()
    await expect(fetch(seen.address)).rejects.toThrow('fetch failed')
  })

  test('count replies and their duration by route, method and status, never by address', async () => {
    const server = await started()
    const people = [await signIn(server, 'sam@club.test'), await signIn(server, 'noa@club.test')]
    for (const { userId, accessToken: bearer } of people) await ask(server, 'GET', `user/${userId}`, { bearer })
    await ask(server, 'GET', `user/${people[0]?.userId}`)
    const { text, valueOf } = await metricsOf(server)
    const route = '/api/user/:id'
    expect(valueOf('touchline_replies_total', { route, method: 'GET', status: '200' })).toBe(2)
    expect(valueOf('touchline_replies_total', { route, method: 'GET', status: '401' })).toBe(1)
    expect(valueOf('touchline_reply_seconds_count', { route, method: 'GET' })).toBe(3)
    expect(valueOf('touchline_reply_seconds_sum', { route, method: 'GET' })).toBeGreaterThan(0)
    expect(valueOf('touchline_refusals_total', { code: 'INVALID_TOKEN' })).toBe(1)
    for (const { userId } of people) expect(text).not.toContain(userId)

    const seriesIn = (all: string) => all.split('\n').filter((line) => line.startsWith('touchline_repl')).length
    const anywhere = (name: string) =>
      Promise.all([ask(server, 'GET', `user/${name}`), ask(server, 'GET', name), fetch(`${server.address}/${name}`)])
    await anywhere('first')
    const before = seriesIn(await readMetrics(server))
    for (let i = 0; i < 30; i += 1) await anywhere(`other-${i}`)
    expect(seriesIn(await readMetrics(server))).toBe(before)
  })

  test('count saves, answers and the rate limits reached', async () => {
    const server = await started({ STARTS_PER_HOUR_PER_ADDRESS: '2' })
    const player = await signIn(server, 'sam@club.test')
    const instanceId = await server.giveInstance(player)
    expect((await save(server, player, instanceId, 'A')).status).toBe(200)
    expect((await save(server, player, instanceId, 'nonsense')).status).toBe(400)
    for (const name of ['a', 'b', 'c'])
      await ask(server, 'POST', 'user/auth/initiate', { body: { email: `${name}@club.test`, userTypeCode: 'player' } })
    const { valueOf } = await metricsOf(server)
    expect(valueOf('touchline_saves_total', { outcome: 'stored' })).toBe(1)
    expect(valueOf('touchline_saves_total', { outcome: 'refused' })).toBe(1)
    expect(valueOf('touchline_saved_answers_total', {})).toBe(1)
    expect(valueOf('touchline_limits_hit_total', { limit: 'startsPerAddress' })).toBe(2)
    expect(valueOf('touchline_refusals_total', { code: 'TOO_MANY_REQUESTS' })).toBe(2)
  })

  test('count mails and job attempts by their outcome, and show the remaining jobs', async () => {
    const { server, smtp } = await serverWithMail({ env: await metricsPort() })
    const coach = await coachWith(server, 'coach@club.test', 3)
    const invite = async (code: 250 | 451 | 550) => {
      smtp.replyWith(code)
      await allocate(server, coach, `player.${code}@club.test`)
      await server.deps.jobs.settled('mails')
    }
    for (const code of [250, 451, 550] as const) await invite(code)
    const { valueOf } = await metricsOf(server)
    const of = (outcome: string) => [
      valueOf('touchline_mail_seconds_count', { outcome: { done: 'accepted', failed: 'failed', 'given-up': 'refused' }[outcome] ?? '' }),
      valueOf('touchline_job_seconds_count', { queue: 'mails', name: 'invitation', outcome }),
    ]
    // and the code by which the coach signed in
    expect({ done: of('done'), failed: of('failed'), 'given-up': of('given-up') }).toEqual({
      done: [2, 1],
      failed: [1, 1],
      'given-up': [1, 1],
    })
    expect(valueOf('touchline_jobs', { queue: 'mails', state: 'waiting' })).toBe(1)
    expect(valueOf('touchline_jobs', { queue: 'mails', state: 'failed' })).toBe(1)
    expect(valueOf('touchline_jobs', { queue: 'sweeps', state: 'running' })).toBe(0)
  })

  test('show the process, its connections, and the state of each part', async () => {
    const server = await started({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })
    await expect.poll(async () => (await metricsOf(server)).valueOf('touchline_part_works', { part: 'mail' })).toBe(0)
    const { valueOf } = await metricsOf(server)
    expect(valueOf('touchline_part_works', { part: 'database' })).toBe(1)
    expect(valueOf('nodejs_eventloop_lag_p99_seconds', {})).toBeGreaterThan(0)
    expect(valueOf('process_resident_memory_bytes', {})).toBeGreaterThan(0)
    if (!engines.includes('postgres')) return
    expect(valueOf('touchline_database_connections', { state: 'maximum' })).toBe(server.deps.env.databaseConnections)
    expect(valueOf('touchline_database_connections', { state: 'idle' })).toBeGreaterThan(0)
    expect(valueOf('touchline_database_waiting', {})).toBe(0)
  })

  test('are served without the jobs while the database does not reply', async () => {
    const server = await started()
    await server.deps.db.execute('alter schema jobs rename to gone')
    const { valueOf } = await metricsOf(server)
    expect(valueOf('touchline_jobs', { queue: 'mails', state: 'waiting' })).toBeUndefined()
    expect(valueOf('process_resident_memory_bytes', {})).toBeGreaterThan(0)
    await server.deps.db.execute('alter schema gone rename to jobs')
  })

  test('a metrics port that is in use is named', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    await expect(startServer({ env: { METRICS_PORT: String(port) } })).rejects.toThrow(`METRICS_PORT: ${port} on 127.0.0.1 is in use`)
  })
})
