import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import type { Credentials } from '#contract/auth.ts'
import { startCollector, type Collector } from '#tests/support/collector.ts'
import { freePort } from '#tests/support/free-port.ts'
import { readMetrics } from '#tests/support/metrics.ts'
import { ask, signIn } from '#tests/support/person.ts'
import { requestOf, type Request } from '../access-requests.ts'
import { ACTORS, INVALID, makeWorld, send, VALID, type World } from '../access-world.ts'

/** Logs, metrics and traces name the request, never the person (PRIVACY-7): planted values are looked for after calls of every kind. */

const DOMAIN = 'planted.test'
const NAME = 'Plantedname'
const CITY = 'Plantedcity'
const ANSWER = 'plantedanswer'
const BROWSER = 'PlantedBrowser/7'
const ADDRESS = '203.0.113.77'
const CODE = '86420975'
const HEADERS = {
  tracestate: `mail=${NAME}`,
  'x-forwarded-for': ADDRESS,
  'user-agent': BROWSER,
  referer: `https://elsewhere.test/?mail=ref@${DOMAIN}`,
}

/** The last end sessions. */
const ENDINGS = ['users.deactivate', 'auth.logout', 'users.erase']
const CALLS = everyEndpoint().toSorted(([a], [b]) => ENDINGS.indexOf(a) - ENDINGS.indexOf(b))
const STAYING = CALLS.filter(([name]) => name !== 'auth.logout')

describe('no personal data is logged after calls', () => {
  const lines: string[] = []
  const secrets: string[] = []
  let world: World
  let collector: Collector

  beforeAll(async () => {
    collector = await startCollector()
    world = await makeWorld(undefined, {
      env: {
        LOG_LEVEL: 'trace',
        METRICS_PORT: String(await freePort()),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
        TRUST_PROXY: '127.0.0.1, ::1',
      },
      logTo: { write: (line) => lines.push(line) },
    })
    const { server, bearers, players } = world
    secrets.push(
      ...Object.values(bearers)
        .flatMap((states) => Object.values(states))
        .filter((one) => one !== 'operator'),
    )
    secrets.push(players.closing.otp, players.closing.session, players.unsubscribeToken, players.answersFile.slice(0, 60))
    const { db } = server.deps
    await db.execute(`update users set first_name = '${NAME}', last_name = '${NAME}', city_id = '${CITY}'`)
  })
  afterAll(async () => {
    await world.server.close()
    await collector.close()
  })

  /** Everything of a request that a caller writes, replaced. */
  function planted({ params = {}, query = {}, body }: Request, hasBody: boolean): Request[] {
    const values = [`path@${DOMAIN}`, encodeURIComponent(`path@${DOMAIN}`), NAME, CODE, secrets[0] ?? '']
    const everywhere = (value: string) => ({
      params: Object.fromEntries(Object.keys(params).map((name) => [name, value.slice(0, 400)])),
      query: { ...Object.fromEntries(Object.keys(query).map((name) => [name, value])), email: `query@${DOMAIN}` },
      ...(body ? { body: Object.fromEntries(Object.keys(body).map((name) => [name, value])) } : {}),
    })
    const strange = { params, query, body: { ...body, email: `body@${DOMAIN}`, firstName: NAME, answer: ANSWER, otp: CODE } }
    return [...values.map(everywhere), ...(hasBody ? [strange] : [])]
  }

  /** As somebody who may make the call writes it, with a name of ours. */
  function wellFormed(request: Request): Request[] {
    return [JSON.parse(JSON.stringify(request).replaceAll(/"(Noa|U19)"/g, `"${NAME}"`)) as Request]
  }

  /** A call as everybody makes it, with credentials in every state. */
  async function sendAll(name: string, requests: (request: Request, hasBody: boolean) => Request[]): Promise<number[]> {
    const endpoint = CALLS.find(([one]) => one === name)?.[1]
    if (!endpoint) throw new Error(`no call ${name}`)
    const statuses: number[] = []
    for (const actor of ACTORS)
      for (const state of actor === 'guest' ? VALID : [...VALID, INVALID[0], INVALID[4]])
        for (const request of requests(requestOf(name, world.players), endpoint.method !== 'GET'))
          statuses.push((await send(world, endpoint, actor, state, request, HEADERS)).status)
    return statuses
  }

  function expectNobody(text: string): void {
    // the paths of sources, and the pattern of an address in one of our statements
    const own = text
      .replaceAll(/node_modules\/@?[^\s"\\]+|file:\/\/[^\s"\\]+|internal\/[^\s"\\]+/g, '')
      .replaceAll(/regexp_replace\(to_normal, .*?@'\)/g, '')
    const wanted = [DOMAIN, 'club.test', NAME, CITY, ANSWER, 's2-q01', BROWSER, ADDRESS, CODE, ...secrets]
    expect(wanted.filter((one) => own.includes(one))).toEqual([])
    expect(own.match(/[^\s"\\]+(?:@|%(?:25)*40)[^\s"\\]+/g)).toBeNull()
  }

  test('with personal data in every place where a caller can put it', async () => {
    for (const [name] of CALLS) if (!ENDINGS.includes(name)) await sendAll(name, planted)
    expect(lines.length).toBeGreaterThan(1000)
    expectNobody(lines.join(''))
  }, 120_000)

  test('that cannot be parsed, or have it in their URL', async () => {
    const { hostname, port } = new URL(world.server.address)
    const sent = async (text: string) => {
      const socket = connect(Number(port), hostname)
      const reply = once(socket, 'data')
      socket.write(text)
      expect(String((await reply)[0])).toMatch(/^HTTP\/1\.1 4\d\d /)
      socket.destroy()
    }
    await sent(`STEAL /api/user/raw@${DOMAIN} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await sent(`GET /api/user/%zz@${DOMAIN} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await sent(`GET /api/user/${`long@${DOMAIN}`.repeat(60)} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await sent(`GET /api/health HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secrets[0]}\r\nbroken@${DOMAIN}\r\n\r\n`)
    expect(lines.filter((line) => line.includes('unreadable'))).toHaveLength(4)
    expectNobody(lines.join(''))
  })

  test('that sign in and refresh a session', async () => {
    const { server } = world
    const person = await signIn(server, `signs.in@${DOMAIN}`, 'player', {}, 'fr')
    secrets.push(server.codeFor(person.email), person.accessToken, person.refreshToken, person.idToken)
    const renewed = await ask<Credentials>(server, 'POST', 'user/auth/refresh', {
      body: { refreshToken: person.refreshToken },
      headers: HEADERS,
    })
    expect(renewed.status).toBe(200)
    secrets.push(renewed.body.accessToken, renewed.body.refreshToken)
    expectNobody(lines.join(''))
  })

  test('that fail with a database error that quotes the whole row', async () => {
    const { db } = world.server.deps
    await db.execute(
      `create function complain() returns trigger language plpgsql as $$ begin raise exception 'no room for: "%"', new::text; end $$`,
    )
    const { rows } = await db.execute<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
         and relname not in ('sessions', 'schema_migrations')`,
    )
    for (const { name } of rows)
      await db.execute(`create trigger complain before insert or update on ${name} for each row execute function complain()`)
    const statuses = (await Promise.all(STAYING.map(([name]) => sendAll(name, wellFormed)))).flat()
    expect(statuses.filter((status) => status === 500).length).toBeGreaterThan(10)
    expect(lines.filter((line) => line.includes('no room for')).length).toBeGreaterThan(5)
    for (const { name } of rows) await db.execute(`drop trigger complain on ${name}`)
    // and what reads, with the values of the statement
    for (const table of ['instances', 'users']) {
      await db.execute(`alter table ${table} rename to gone`)
      for (const [name] of STAYING) await sendAll(name, wellFormed)
      await db.execute(`alter table gone rename to ${table}`)
    }
    expect(lines.filter((line) => line.includes('Failed query')).length).toBeGreaterThan(10)
    expectNobody(lines.join(''))
  }, 180_000)

  test('that succeed', async () => {
    for (const [name] of CALLS) await sendAll(name, wellFormed)
    await world.server.deps.jobs.settled('mails')
    expectNobody(lines.join(''))
  }, 120_000)

  test('the metrics contain none of it either, and no ids', async () => {
    const text = await readMetrics(world.server)
    expect(text.length).toBeGreaterThan(5000)
    expectNobody(text)
    expect(text.match(/[0-9a-f]{8}-[0-9a-f]{4}-/g)).toBeNull()
  })

  test('nor do the traces', async () => {
    // it sends what is left
    await world.server.close()
    expect(collector.spans().length).toBeGreaterThan(1000)
    expectNobody(collector.requests.join(''))
  })
})
