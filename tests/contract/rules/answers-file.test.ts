import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sealedPartOf } from '#contract/rules/answers-file.ts'

const START = 'eyJhbGciOiJkaXIi'
const SEALED = `${START}fQ..${'a'.repeat(16)}.bcd.${'e'.repeat(22)}`

test('the sealed part is found among what a mail program has added, and a cut one is told', () => {
  expect(sealedPartOf(`Hello. Here it is:\n> ${SEALED.replace('..', '..\n> ')}\n> Bye.`)).toEqual({ sealed: SEALED })
  expect(sealedPartOf(SEALED.slice(0, -1))).toBe('cut')
  expect(sealedPartOf(`${SEALED.slice(0, 40)} ${SEALED}`)).toEqual({ sealed: SEALED })
  expect(sealedPartOf('nothing of ours.')).toBeUndefined()
})

test('it is what one regular expression for all of it would find', () => {
  const whole = new RegExp(String.raw`${START}[\w-]*\.\.[\w-]{16}\.[\w-]+\.[\w-]{22}`)
  const piece = fc.constantFrom(START, SEALED, '.', '..', '!', 'x', 'a'.repeat(16), 'a'.repeat(22))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join('')
      const [sealed] = whole.exec(text) ?? []
      expect(sealedPartOf(text)).toEqual(sealed === undefined ? (text.includes(START) ? 'cut' : undefined) : { sealed })
    }),
    { numRuns: 2000 },
  )
})

test('a text of many beginnings takes no longer than any other', () => {
  const from = performance.now()
  expect(sealedPartOf(START.repeat(12_000))).toBe('cut')
  expect(performance.now() - from).toBeLessThan(1000)
})
