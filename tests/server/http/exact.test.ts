import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { everyEndpoint } from '#contract/api.ts'
import { RESPONSES_MAXIMUM } from '#contract/constants.ts'
import { saveBody, saveReply } from '#contract/instances.ts'
import { isExact } from '#server/http/exact.ts'

const schemas = everyEndpoint().flatMap(([name, { params, query, body, reply }]) =>
  Object.entries({ params, query, body, reply }).flatMap(([part, schema]) => (schema ? [{ name: `${name} ${part}`, schema }] : [])),
)

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('', ' ', 'a\u0000', '\ud800', '__proto__', '12', 'a'.repeat(150)),
  fc.uuid(),
)
const number = fc.oneof(fc.integer(), fc.nat(20), fc.double(), fc.constantFrom(-0, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY))
const anything = fc.oneof(text, number, fc.boolean(), fc.constantFrom(null, undefined, [], {}, new Date(0)), fc.dictionary(text, text))

/** Values that mostly fit the schema, and sometimes nearly. */
function valuesOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const fitting = fittingOf(schema)
  return fc.oneof({ weight: 30, arbitrary: fitting }, { weight: 1, arbitrary: anything })
}

function fittingOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return 'format' in def && def.format === 'uuid' ? fc.uuid() : text
    case 'number':
      return number
    case 'boolean':
      return fc.boolean()
    case 'enum':
    case 'literal':
      return fc.constantFrom(...(schema._zod.values ?? []))
    case 'nullable':
      return fc.oneof(valuesOf(def.innerType), fc.constant(null))
    case 'optional':
      return fc.oneof(valuesOf(def.innerType), fc.constant(undefined))
    case 'array':
      return fc.array(valuesOf(def.element), { maxLength: 4 })
    case 'record':
      return fc.dictionary(text, valuesOf(def.valueType), { maxKeys: 3 })
    case 'union':
      return fc.oneof(...def.options.map(valuesOf))
    case 'object':
      return objectsOf(def.shape)
    default:
      return anything
  }
}

/** With keys missing, in another order, one too many, or of another prototype. */
function objectsOf(shape: z.core.$ZodShape): fc.Arbitrary<unknown> {
  const names = Object.keys(shape)
  const fields = fc.record(Object.fromEntries(names.map((name) => [name, valuesOf(shape[name] ?? z.unknown())])))
  const isOptional = (name: string) => shape[name]?._zod.optin === 'optional'
  return fc
    .tuple(fields, fc.subarray(names.filter(isOptional)), fc.nat(40), fc.shuffledSubarray(names))
    .map(([object, left, chance, some]) => {
      const kept = Object.entries(object).filter(([name]) => !left.includes(name))
      if (chance === 0) return Object.fromEntries(some.map((name) => [name, object[name]]))
      if (chance === 1) return { ...Object.fromEntries(kept), another: 1 }
      return chance === 2 ? Object.assign(Object.create({ inherited: 1 }) as object, Object.fromEntries(kept)) : Object.fromEntries(kept)
    })
}

describe('the check that zod would return a value unchanged', () => {
  it.each(schemas)('agrees with zod: $name', ({ schema }) => {
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        if (!isExact(schema, value)) return
        const parsed = schema.safeParse(value)
        expect(parsed.success).toBe(true)
        expect(parsed.data).toStrictEqual(value)
        expect(JSON.stringify(parsed.data)).toBe(JSON.stringify(value))
      }),
      { numRuns: 200 },
    )
  })

  const group = { questionId: 's2-q01', base: 3, order: 1_795_000_000_000 }
  const response = { sectionName: 'Section2', id: 's2-q01', answer: 'A' }
  const operation = { id: randomUUID(), device: randomUUID(), contentVersion: 'touchline-profile-2', groups: [group] }
  const body = { instanceId: randomUUID(), responses: [response], operation }

  it('accepts a save of answers and its reply', () => {
    expect(isExact(saveBody, body)).toBe(true)
    expect(isExact(saveBody, { instanceId: body.instanceId, responses: [{ ...response, answer: null }] })).toBe(true)
    const reply = { completionStatus: 'IN_PROGRESS', revision: 4, count: 1, hash: '0'.repeat(16), groups: [], superseded: [] }
    expect(isExact(saveReply, reply)).toBe(true)
  })

  it.each<[string, unknown]>([
    ['keys in another order, which zod puts right', { responses: [response], instanceId: body.instanceId, operation }],
    ['an unknown field', { ...body, extra: 1 }],
    ['an unknown field deep inside', { ...body, responses: [{ ...response, extra: 1 }] }],
    ['a field missing', { instanceId: body.instanceId }],
    ['an id that is none', { ...body, operation: { ...operation, device: 'phone' } }],
    ['a base below 0', { ...body, operation: { ...operation, groups: [{ ...group, base: -1 }] } }],
    ['a text that is too long', { ...body, responses: [{ ...response, answer: 'A'.repeat(101) }] }],
    ['too many answers', { ...body, responses: Array.from({ length: RESPONSES_MAXIMUM + 1 }, () => response) }],
    ['a list that is none', { ...body, responses: { length: 0 } }],
  ])('rejects %s', (_why, value) => {
    expect(isExact(saveBody, value)).toBe(false)
  })

  it('accepts of several forms the first only, because zod may take a part of another for it', () => {
    const schema = z.union([z.object({ a: z.string() }), z.strictObject({ a: z.string(), b: z.string() })])
    expect(isExact(schema, { a: 'x' })).toBe(true)
    expect(schema.parse({ a: 'x', b: 'y' })).toEqual({ a: 'x' })
    expect(isExact(schema, { a: 'x', b: 'y' })).toBe(false)
  })

  it('rejects a value that would be sent as something else (holes, toJSON)', () => {
    const toJSON = () => ({ secret: 1 })
    const holes = Object.assign<string[], object>([], { length: 2 })
    expect(isExact(z.array(z.string()), holes)).toBe(false)
    expect(isExact(z.array(z.string()), Object.assign(['a'], { toJSON }))).toBe(false)
    class List extends Array<string> {
      toJSON = toJSON
    }
    expect(isExact(z.array(z.string()), List.from(['a']))).toBe(false)
    expect(isExact(z.object({ a: z.string() }), Object.defineProperty({ a: 'x' }, 'toJSON', { value: toJSON }))).toBe(false)
    expect(isExact(z.record(z.string(), z.string()), Object.defineProperty({}, 'toJSON', { value: toJSON }))).toBe(false)
  })

  it('rejects a text that is too short because a character of two code units counts as one', () => {
    const schema = z.string().check(z.minLength(2))
    for (const text of ['\u{1F600}', '\u{1F600}\u{1F600}\u{1F600}', 'ab', 'abc'])
      expect([text, isExact(schema, text) && !schema.safeParse(text).success]).toEqual([text, false])
    expect(isExact(schema, 'abc')).toBe(true)
  })

  it('rejects any value if the schema transforms it or has a rule of its own', () => {
    expect(isExact(z.string().check(z.trim()), 'a')).toBe(false)
    expect(isExact(z.string().check(z.refine(() => true)), 'a')).toBe(false)
    expect(isExact(z.object({ a: z._default(z.string(), 'b') }), { a: 'c' })).toBe(false)
    expect(isExact(z.coerce.number(), 1)).toBe(false)
    expect(isExact(z.object({ a: z.exactOptional(z.string()) }), { a: undefined })).toBe(false)
  })
})
