import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseJson } from '#server/http/json.ts'
import { Refused } from '#server/http/refusal.ts'

/** A key of its own would say nothing here: the parser refuses it. */
const isPlain = (text: string) => !text.includes('__proto__')

describe('JSON that every parser reads alike (INPUT-62)', () => {
  test('any value is read as written, whatever quotes, backslashes and colons it contains', () => {
    const texts = fc.string({ unit: fc.constantFrom('"', '\\', ':', ' ', '{', '}', '[', ']', ',', 'a', '\u00e9', '\n') })
    const values = fc
      .jsonValue({ maxDepth: 4 })
      .filter((value) => isPlain(JSON.stringify(value)))
      // no text says that a zero is negative
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    fc.assert(
      fc.property(values, fc.dictionary(texts, texts), fc.nat(2), (value, named, spaces) => {
        expect(parseJson(JSON.stringify([value, named], null, spaces))).toEqual([value, named])
      }),
    )
  })

  test('a duplicate key is refused, however it is escaped and wherever it is', () => {
    const refused = [
      '{"a":1,"a":1}',
      '[{"b":{"a":{"c":1},"\\u0061" :2}}]',
      '{"a\\"":1,"a\\u0022":2}',
      '{"\\\\":1,"\\u005c"\n:2}',
      '{"":1,"":2}',
    ]
    for (const text of refused) expect(() => parseJson(text), text).toThrow(Refused)
    expect(parseJson('[{"a":"a"},{"a":"\\":"},"a:","a"]')).toEqual([{ a: 'a' }, { a: '":' }, 'a:', 'a'])
  })

  test('twenty levels of nesting are read, and one more is refused', () => {
    const nested = (depth: number) => `${'['.repeat(depth - 1)}{}${']'.repeat(depth - 1)}`
    expect(parseJson(nested(20))).toBeDefined()
    expect(() => parseJson(nested(21))).toThrow(Refused)
  })

  test('what would take JSON.parse long is refused without it', () => {
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    const long = ['['.repeat(500_000) + ']'.repeat(500_000), '{"a":'.repeat(100_000), `[${'1,'.repeat(500_000)}1]`, '"'.repeat(999_999)]
    for (const text of long) expect(() => parseJson(text)).toThrow(Refused)
    expect(parse).not.toHaveBeenCalled()
    // brackets and commas in strings do not count
    expect(parseJson(JSON.stringify(['[{,'.repeat(100_000), '\\"['.repeat(50)]))).toHaveLength(2)
  })
})
