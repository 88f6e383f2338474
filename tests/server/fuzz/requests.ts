import type { Random } from '#tests/chaos/scheduler.ts'

/** Makes random requests from the served OpenAPI document: valid ones, and ones that are wrong in one place or several. */

export interface JsonSchema {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
}

interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: JsonSchema
}

export interface Operation {
  operationId: string
  parameters: Parameter[]
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
}

/** Makes a value that exists on this server, from the name of its field. */
export type Sensible = (name: string, random: Random, operationId: string) => unknown

/** One request as it is sent. */
export interface Wire {
  method: string
  /** as sent, from /api/ on */
  path: string
  headers: Record<string, string>
  body: string | undefined
}

export const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\u202Egpj.exe',
  '\uFEFFa',
  '\u2028',
  '👩‍👩‍👧',
  'ａ@ｂ.test',
  'ﬁ',
  '%00',
  '%',
  '%zz',
  '..',
  '../../etc/passwd',
  'a/b',
  '\\',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '<img src=x onerror=alert(1)>',
  '${7*7}',
  'null',
  'NaN',
  '1e2',
  '-1',
  '9999999999999999999999',
  '2026-13-01',
  '1900-01-01',
  'a@b@c.test',
  'x'.repeat(101),
  'x'.repeat(5000),
  '00000000-0000-0000-0000-000000000000',
]
const VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53 - 1,
  1e308,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  { constructor: 1 },
  [''],
]

/** Bodies that are not a proper JSON object. */
const BODIES = [
  '',
  ' ',
  'null',
  '[]',
  '"x"',
  '1',
  '{',
  '{"a":1,"a":2}',
  '{"__proto__":{"role":"operator"}}',
  '{"a":"\\ud800"}',
  '\0',
  '\u{1F600}',
  `${'['.repeat(60)}${']'.repeat(60)}`,
  `{"a":${'{"a":'.repeat(30)}1${'}'.repeat(31)}`,
  '{"a":1e999}',
  `{"a":"${'x'.repeat(200_000)}"}`,
]
const TYPES = [
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
]
/** Path segments that are not properly encoded. */
const SEGMENTS = ['%', '%zz', '%E0%A4%A', '%ED%A0%80', '%C0%AF', '%00', '%2F', '%2e%2e', '..', ';', 'x'.repeat(501), '%25', '+', '*', '~']

export function requestOf(method: string, path: string, operation: Operation, world: Sensible, random: Random): Wire {
  const sensible = (name: string) => world(name, random, operation.operationId)
  // the share of its values that are wrong
  const wrongShare = random.pick([0, 0.15, 0.5])
  const text = () => (random.chance(0.5) ? random.pick(TEXTS) : String(random.pick(VALUES)))
  const valueOf = (parameter: Parameter) =>
    random.chance(wrongShare) ? text() : String(valid(parameter.schema, parameter.name, sensible, random, wrongShare))

  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (random.chance(wrongShare / 4)) return random.pick(SEGMENTS)
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name)
    // an empty segment would make this another path
    return (parameter && segment(valueOf(parameter))) || '%20'
  })
  const query = operation.parameters
    .filter((one) => one.in === 'query' && (one.required ? !random.chance(wrongShare / 3) : random.chance(0.5)))
    .map((one) => `${one.name}=${segment(valueOf(one))}`)
  if (random.chance(wrongShare / 4))
    query.push(random.pick(['intruder=1', '__proto__=1', '=', '&&', '%zz=%zz', 'page=1&page=2', 'a=%00', 'a%00=1']))

  const schema = operation.requestBody?.content['application/json'].schema
  const headers: Record<string, string> = {}
  let body: string | undefined
  if (schema || (method !== 'GET' && random.chance(wrongShare / 3))) {
    headers['content-type'] = random.chance(wrongShare / 8) ? random.pick(TYPES) : 'application/json'
    const made = schema ? damaged(valid(schema, '', sensible, random, wrongShare), random, wrongShare) : {}
    body = random.chance(wrongShare / 6) ? random.pick(BODIES) : JSON.stringify(made)
  }
  return { method, path: `/api${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`, headers, body }
}

/** Encodes half a surrogate pair as three bytes, which are not valid UTF-8. */
function segment(text: string): string {
  return [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80')).join('')
}

/** A value of the schema, sometimes a wrong one. */
function valid(schema: JsonSchema, name: string, sensible: (name: string) => unknown, random: Random, wrongShare: number): unknown {
  if (random.chance(wrongShare / 2)) return random.chance(0.6) ? random.pick(TEXTS) : random.pick(VALUES)
  if (schema.format === 'uuid') return random.uuid()
  const known = sensible(name)
  if (known !== undefined && random.chance(0.85)) return known
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.anyOf) return valid(random.pick(schema.anyOf), name, sensible, random, wrongShare)
  switch (schema.type) {
    case 'object': {
      const required = new Set(schema.required)
      const properties = Object.entries(schema.properties ?? {}).filter(([one]) => required.has(one) || random.chance(0.4))
      return Object.fromEntries(properties.map(([one, inner]) => [one, valid(inner, one, sensible, random, wrongShare)]))
    }
    case 'array':
      return Array.from({ length: random.below(4) }, () => valid(schema.items ?? {}, name, sensible, random, wrongShare))
    case 'integer':
    case 'number':
      return random.pick([0, 1, 2, 3, 12])
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return random.pick(['1', 'abc', 'a name', 'soccer', random.uuid()])
  }
}

/** An object that may lack fields, or have fields that the schema does not. */
function damaged(value: unknown, random: Random, wrongShare: number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value).filter(() => !random.chance(wrongShare / 8))
  if (random.chance(wrongShare / 5))
    fields.push([random.pick(['intruder', 'role', 'a\0', '\ud800', '', 'constructor']), random.pick(VALUES)])
  return Object.fromEntries(fields)
}
