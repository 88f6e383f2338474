import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { Random } from '#tests/chaos/scheduler.ts'
import { faultsOf, faultsOfRefusal, parsed } from './refusals.ts'
import { requestOf } from './requests.ts'
import { CALLERS, givenWorld, send, shown, type Caller } from './world.ts'

/**
 * No reply is an undocumented 5xx, and every refusal has the same fields, a code of its call, and a message in the caller's
 * language. `SEED=…` repeats a run, `RUNS=…` makes it longer.
 */
const SEED = Number(process.env['SEED'] ?? 1)
const RUNS = Number(process.env['RUNS'] ?? 750)

const LANGUAGES: readonly (readonly [header: string | undefined, language: 'en' | 'fr'])[] = [
  ['en', 'en'],
  ['fr', 'fr'],
  ['fr-CA', 'fr'],
  ['de, fr;q=0.5', 'fr'],
  ['de', 'en'],
  ['fr;q=0, en', 'en'],
  ['x'.repeat(3000), 'en'],
  [undefined, 'en'],
]
/** They would end the sessions or accounts of the run if they succeeded, so only refused callers use them. */
const ENDINGS = new Set(['users.deactivate', 'auth.logout', 'auth.refresh', 'auth.automaticRefresh'])
const ENDINGS_BY_OPERATOR = new Set(['users.erase', 'users.block'])

describe('random requests', () => {
  const world = givenWorld()

  function callerFor(name: string, { access }: Endpoint, random: Random): Caller {
    if (ENDINGS.has(name)) return random.pick(['guest', 'operator', 'garbage'])
    if (ENDINGS_BY_OPERATOR.has(name)) return random.pick(['guest', 'player', 'garbage'])
    return access === 'anyone' || random.chance(0.5) ? random.pick(CALLERS) : random.pick(access)
  }

  test(`get documented replies: ${RUNS} requests, seed ${SEED}`, { timeout: 60_000 + RUNS * 100 }, async () => {
    const random = new Random(SEED)
    const failures: string[] = []
    const seen = new Map<number, number>()
    for (let run = 0; run < RUNS; run += 1) {
      const { method, path, operation, endpoint } = world.operations[run % world.operations.length] ?? random.pick(world.operations)
      const caller = callerFor(operation.operationId, endpoint, random)
      const [header, language] = random.pick(LANGUAGES)
      const wire = requestOf(method, path, operation, world.sensible, random)
      const bearer = world.bearers[caller]
      if (bearer !== undefined) wire.headers['authorization'] = `Bearer ${bearer}`
      if (header !== undefined) wire.headers['accept-language'] = header
      if (random.chance(0.02)) wire.headers['x-touchline-app'] = random.pick(['0', '-1', 'x', '', '1e9'])
      const reply = await send(world, wire)
      seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
      const faults = faultsOf(reply, language, endpoint)
      if (faults.length > 0)
        failures.push(`#${run} ${caller}: ${faults.join('; ')}\n  ${shown(wire)}\n  ${reply.status} ${reply.text.slice(0, 300)}`)
    }
    expect(failures.slice(0, 5).join('\n\n')).toBe('')
    // the run must reach handlers, not only the checks before them
    expect(seen.get(200) ?? 0).toBeGreaterThan(RUNS / 20)
    for (const status of [400, 401, 403, 404]) expect(seen.get(status), `${status} was never seen`).toBeGreaterThan(0)
  })

  test('are refused in every call, whoever makes it, if the body is not an object', async () => {
    const random = new Random(SEED)
    const failures: string[] = []
    const codes = new Set<unknown>()
    for (const { method, path, operation, endpoint } of world.operations) {
      if (method === 'GET' || endpoint.rawBody) continue
      const callers: readonly Caller[] = endpoint.access === 'anyone' ? ['guest', 'player'] : endpoint.access
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(world.sensible(name, random, operation.operationId)))
      for (const caller of callers) {
        for (const body of ['null', '5', 'true', '"x"', '[]', '[null]']) {
          const authorization = world.bearers[caller]
          const headers = { 'content-type': 'application/json', ...(authorization && { authorization: `Bearer ${authorization}` }) }
          const wire = { method, path: `/api${filled}`, headers, body }
          const reply = await send(world, wire)
          codes.add((parsed(reply.text) as { code?: string } | undefined)?.code)
          const faults = reply.status === 400 ? faultsOf(reply, 'en', endpoint) : [`${reply.status}`]
          if (faults.length > 0) failures.push(`${caller}: ${faults.join('; ')}: ${shown(wire)} ${reply.text.slice(0, 200)}`)
        }
      }
    }
    expect(failures.slice(0, 10).join('\n')).toBe('')
    expect(codes).toContain('INVALID_JSON')
  })

  test('are refused as documented if the path is malformed', async () => {
    const paths = ['%', '%zz', '%E0%A4%A', '%ED%A0%80', '%C0%AF', 'a%2Fb', '%2e%2e%2f', 'x'.repeat(501), '..', '%00', '\\', ';a=b', '+']
    const failures: string[] = []
    for (const [header, language] of LANGUAGES) {
      for (const place of ['/api/user/', '/api/', '/api/assessment/assessment-instance/', '/api/sports/']) {
        for (const one of paths) {
          const headers = {
            authorization: `Bearer ${world.bearers.player}`,
            ...(header === undefined ? {} : { 'accept-language': header }),
          }
          const wire = { method: 'GET', path: `${place}${one}`, headers, body: undefined }
          const reply = await send(world, wire)
          if (reply.status < 300) continue
          const faults = faultsOfRefusal(reply, language, [])
          if (faults.length > 0) failures.push(`${faults.join('; ')}: ${shown(wire)}`)
        }
      }
    }
    expect(failures.slice(0, 5).join('\n')).toBe('')
  })

  test('are refused if the path does not have the method, with the methods that it has', async () => {
    const failures: string[] = []
    for (const { path, endpoint } of world.operations) {
      for (const method of ['DELETE', 'PUT', 'GET', 'PATCH', 'PROPFIND']) {
        const wire = { method, path: `/api${path.replace(/\{\w+\}/g, 'x')}`, headers: {}, body: undefined }
        if (world.operations.some((one) => one.method === method && routes(one.path, wire.path))) continue
        const reply = await send(world, wire)
        // the link in a mail also accepts GET, and redirects to a page
        if (reply.status === 302) continue
        const faults = reply.status === 405 ? faultsOfRefusal(reply, 'en', []) : [`${reply.status}`]
        if (faults.length > 0) failures.push(`${endpoint.method} ${faults.join('; ')}: ${shown(wire)}`)
      }
    }
    expect(failures.slice(0, 5).join('\n')).toBe('')
  })
})

function routes(template: string, path: string): boolean {
  return new RegExp(`^/api${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
}
