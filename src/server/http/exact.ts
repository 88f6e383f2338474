import type * as z from 'zod/mini'

/**
 * Whether a value is exactly what its schema would return, down to the order of keys: then it is its own result. Zod allocates an object
 * for each field it checks, which is most of its cost. Anything else goes through zod, which also says what is wrong.
 */
export function isExact(schema: z.ZodMiniType, value: unknown): boolean {
  let test = tests.get(schema)
  if (test === undefined) {
    test = testOf(schema)
    tests.set(schema, test)
  }
  return test?.(value) ?? false
}

type Test = (value: unknown) => boolean

/** null: the schema has a part that only zod knows */
const tests = new WeakMap<z.core.$ZodType, Test | null>()

function testOf(schema: z.core.$ZodType): Test | null {
  const type = typeTestOf(schema)
  const checks = (schema._zod.def.checks ?? []).map(checkOf)
  if (type === null || checks.includes(null)) return null
  return checks.reduce((test: Test, check) => (value) => test(value) && check?.(value) === true, type)
}

function typeTestOf(schema: z.core.$ZodType): Test | null {
  // zod's own union of all types, which the compiler tells apart by their names
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return def.coerce ? null : stringTest(def)
    case 'number':
      return def.coerce ? null : numberTest(def)
    case 'boolean':
      return def.coerce ? null : (value) => typeof value === 'boolean'
    case 'undefined':
      return (value) => value === undefined
    case 'enum':
    case 'literal': {
      const values: ReadonlySet<unknown> | undefined = schema._zod.values
      return values ? (value) => values.has(value) : null
    }
    case 'nullable':
      return orElse(null, testOf(def.innerType))
    case 'optional':
      // another kind refuses what is undefined
      return schema._zod.traits.has('$ZodExactOptional') ? null : orElse(undefined, testOf(def.innerType))
    case 'array':
      return arrayTest(testOf(def.element))
    case 'unknown':
      return () => true
    case 'union': {
      // of another member the first might still take a part
      const [first] = def.options
      return first && def.inclusive !== false ? testOf(first) : null
    }
    case 'record':
      return isAnyString(def.keyType) ? recordTest(testOf(def.valueType)) : null
    case 'object':
      return def.catchall && def.catchall._zod.def.type !== 'never' ? null : objectTest(def.shape)
    default:
      return null
  }
}

function checkOf(check: z.core.$ZodCheck): Test | null {
  // zod's own union of all checks, told apart by `check`; a check runs only once the type is right
  const { def } = (check as z.core.$ZodChecks)._zod
  switch (def.check) {
    case 'max_length':
      return (value) => (value as string | unknown[]).length <= def.maximum
    case 'min_length': {
      // of a text zod counts characters, which may be of two units each
      const units = 2 * def.minimum - 1
      return (value) => (value as string | unknown[]).length >= (typeof value === 'string' ? units : def.minimum)
    }
    case 'greater_than':
      return (value) => (def.inclusive ? (value as number) >= Number(def.value) : (value as number) > Number(def.value))
    case 'less_than':
      return (value) => (def.inclusive ? (value as number) <= Number(def.value) : (value as number) < Number(def.value))
    default:
      return null
  }
}

function stringTest(def: z.core.$ZodStringDef | z.core.$ZodStringFormatDef): Test | null {
  if (!('format' in def)) return (value) => typeof value === 'string'
  const { format, pattern } = def
  return format === 'uuid' && pattern ? (value) => typeof value === 'string' && pattern.test(value) : null
}

function numberTest(def: z.core.$ZodNumberDef | z.core.$ZodNumberFormatDef): Test | null {
  if (!('format' in def)) return Number.isFinite
  return def.format === 'safeint' ? Number.isSafeInteger : null
}

function isAnyString({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type === 'string' && !('format' in def) && !def.checks?.length
}

function orElse(other: null | undefined, test: Test | null): Test | null {
  return test && ((value) => value === other || test(value))
}

function arrayTest(test: Test | null): Test | null {
  if (!test) return null
  return (value) => {
    if (!Array.isArray(value) || !isOf(Array.prototype, value)) return false
    // by index, which finds the holes
    for (let at = 0; at < value.length; at += 1) if (!test(value[at])) return false
    return true
  }
}

/** Whether an object has exactly this prototype and no `toJSON`, whose result would be sent instead. */
function isOf(prototype: object, value: object): boolean {
  return Object.getPrototypeOf(value) === prototype && !('toJSON' in value && typeof value.toJSON === 'function')
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && isOf(Object.prototype, value)
}

function recordTest(test: Test | null): Test | null {
  if (!test) return null
  return (value) => {
    if (!isPlain(value)) return false
    for (const name in value) if (name === '__proto__' || !test(value[name])) return false
    return true
  }
}

function objectTest(shape: z.core.$ZodShape): Test | null {
  const fields = Object.entries(shape).map(([name, field]) => ({ name, isOptional: field._zod.optin === 'optional', test: testOf(field) }))
  const isKnown = (field: (typeof fields)[number]): field is { name: string; isOptional: boolean; test: Test } => field.test !== null
  if (!fields.every(isKnown)) return null
  return (value) => {
    if (!isPlain(value)) return false
    let next = 0
    for (const name in value) {
      let field = fields[next]
      while (field?.isOptional && field.name !== name) field = fields[++next]
      if (field?.name !== name || !field.test(value[name])) return false
      next += 1
    }
    for (; next < fields.length; next += 1) if (!fields[next]?.isOptional) return false
    return true
  }
}
