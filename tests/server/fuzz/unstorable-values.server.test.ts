import { describe, expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import { Random } from '#tests/chaos/scheduler.ts'
import { faultsOf, faultsOfRefusal } from './refusals.ts'
import { TEXTS, type JsonSchema, type Wire } from './requests.ts'
import { givenWorld, send, shown } from './world.ts'

const SEED = 1

describe('text and numbers that the database cannot store', () => {
  const world = givenWorld()

  const calls = everyEndpoint().flatMap(([name, endpoint]) => (endpoint.rawBody ? [] : [[name, endpoint] as const]))

  test.each(calls)(
    '%s: NUL and half a surrogate pair are 400 in each field and 404 in a path; a large number causes no 5xx',
    async (name, endpoint) => {
      const found = world.operations.find(({ operation }) => operation.operationId === name)
      if (!found) throw new Error(`${name} is not in the document`)
      const { operation, method, path } = found
      const random = new Random(SEED)
      const caller = endpoint.access === 'anyone' ? 'guest' : endpoint.access[0]
      const plain = (field: string) => world.sensible(field, random, name)
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${world.bearers[caller ?? 'guest'] ?? ''}` }
      const fill = (field: string, wanted: string) => {
        const value = plain(field)
        return field === wanted ? '%00' : encodeURIComponent(typeof value === 'string' ? value : 'x')
      }
      const sends: { what: string; status: number; wire: Wire }[] = []
      for (const parameter of operation.parameters.filter((one) => one.in === 'path')) {
        const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => fill(field, parameter.name))
        sends.push({
          what: parameter.name,
          status: 404,
          wire: { method, path: `/api${filled}`, headers: { ...headers }, body: undefined },
        })
      }
      const whole = path.replace(/\{(\w+)\}/g, (_, field: string) => fill(field, ''))
      const query = operation.parameters.filter((one) => one.in === 'query')
      for (const wanted of query) {
        const asked = query.filter((one) => one.required || one === wanted).map((one) => `${one.name}=${fill(one.name, wanted.name)}`)
        sends.push({
          what: wanted.name,
          status: 400,
          wire: { method, path: `/api${whole}?${asked.join('&')}`, headers: { ...headers }, body: undefined },
        })
      }
      const schema = operation.requestBody?.content['application/json'].schema
      for (const bad of ['\0', 'a\0', '\ud800', 'a\udfff']) {
        for (const at of schema ? fieldsOf(schema, 'string') : []) {
          const body = JSON.stringify(full(schema ?? {}, at, bad, plain))
          sends.push({ what: at.join('.'), status: 400, wire: { method, path: `/api${whole}`, headers: { ...headers }, body } })
        }
      }
      for (const large of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
        for (const at of schema ? fieldsOf(schema, 'integer') : []) {
          const body = JSON.stringify(full(schema ?? {}, at, large, plain))
          const reply = await send(world, { method, path: `/api${whole}`, headers: { ...headers }, body })
          expect([at.join('.'), large, ...faultsOf(reply, 'en', endpoint)]).toEqual([at.join('.'), large])
        }
      }
      for (const { what, status, wire } of sends) {
        // any name of a picture is accepted and cleaned
        if (name.startsWith('pictures.') && ['filename', 'name', 'documentFormat'].includes(what)) continue
        const reply = await send(world, wire)
        expect({ what, status: reply.status, faults: faultsOfRefusal(reply, 'en', endpoint.errors), wire: shown(wire) }).toEqual({
          what,
          status,
          faults: [],
          wire: shown(wire),
        })
      }
    },
  )

  test('are among the texts that random requests use', () => {
    expect(TEXTS.some((text) => text.includes('\0'))).toBe(true)
    expect(TEXTS.some((text) => !text.isWellFormed())).toBe(true)
  })
})

/** Paths of all fields of a type in a schema; `0` is the first item of a list. */
function fieldsOf(schema: JsonSchema, type: 'string' | 'integer', at: string[] = []): string[][] {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => fieldsOf(one, type, at)).slice(0, 1)
  if (schema.type === 'object') return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => fieldsOf(one, type, [...at, name]))
  if (schema.type === 'array') return fieldsOf(schema.items ?? {}, type, [...at, '0'])
  return schema.type === type && schema.enum === undefined ? [at] : []
}

/** A body with all required fields, and `bad` in one place. */
function full(schema: JsonSchema, [next, ...rest]: string[], bad: unknown, plain: (name: string) => unknown, name = ''): unknown {
  if (schema.anyOf) return full(schema.anyOf[0] ?? {}, next === undefined ? [] : [next, ...rest], bad, plain, name)
  if (schema.type === 'object') {
    const entries = Object.entries(schema.properties ?? {})
    const wanted = entries.filter(([field]) => field === next || schema.required?.includes(field))
    return Object.fromEntries(wanted.map(([field, one]) => [field, full(one, field === next ? rest : ['-'], bad, plain, field)]))
  }
  if (schema.type === 'array') return [full(schema.items ?? {}, next === '0' ? rest : ['-'], bad, plain, name)]
  if (next === undefined) return bad
  if (schema.format === 'uuid') return '8f14e45f-ceea-467f-a8e4-7a1f6f4b2c11'
  return plain(name) ?? schema.enum?.[0] ?? (schema.type === 'integer' || schema.type === 'number' ? 1 : 'x')
}
