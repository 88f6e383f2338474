import { describe, expect, it } from 'vitest'
import { suggestAddress } from '#contract/rules/address-typos.ts'
import { entriesOf } from '#contract/rules/address-list.ts'
import { cleanEmail, isEmail, normalEmail } from '#contract/rules/email.ts'

/** RFC 5321: what is an address, and what a copied one was meant to be. */

const long = (length: number) => 'a'.repeat(length)

describe('an e-mail is one address', () => {
  it.each([
    'sam@example.test',
    'o.neil+team@sub.example.co',
    "o'neil@club.test",
    'élodie@exemple.fr',
    'ana@café.fr',
    'ana@xn--caf-dma.fr',
    'ana@club.москва',
    '1@2.fr',
    `${long(64)}@club.test`,
    `ana@${long(63)}.test`,
  ])('%s', (text) => expect(isEmail(text)).toBe(true))

  it.each([
    ...['a@', 'a@b', '@b.fr', 'a@b.fr,c@d.fr', 'a b@c.fr', 'a@b.fr\r\nBcc: x@y.z', 'a＠b.fr', '<a@b.fr>', 'a@b..fr', 'a@b@c.fr'],
    ...[
      '.lead@club.test',
      'trail.@club.test',
      'two..dots@club.test',
      'ana@-club.test',
      'ana@club-.test',
      'ana@.club.test',
      'ana@club.test.',
    ],
    ...[
      'x@club.t',
      '123@123.456',
      'ana@[127.0.0.1]',
      'ana@127.0.0.1',
      'ana@under_score.test',
      'ana@club.test?subject=hi',
      'ana@club.test:',
    ],
    ...[
      'mailto:ana@club.test',
      '“smart@club.test”',
      '‘single@club.test’',
      '«guill@club.test»',
      'zero\u200Bwidth@club.test',
      'ana\u00ADb@club.test',
    ],
    ...['ana@club.test،', '⚽@club.test', 'ana@⚽.test', `${long(65)}@club.test`, `${'é'.repeat(33)}@club.test`, `ana@${long(64)}.test`],
    ...[`ana@${`${long(60)}.`.repeat(5)}test`, 'a\u0000b@club.test', 'ana\u202Eb@club.test', '\uD800@club.test'],
  ])('not %j', (text) => expect(isEmail(text)).toBe(false))
})

it.each([
  ['Ana@Club.test', 'ana@club.test'],
  [' ana@club.test ', 'ana@club.test'],
  ['ana@CAFÉ.fr', 'ana@xn--caf-dma.fr'],
  ['ana@xn--caf-dma.fr', 'ana@xn--caf-dma.fr'],
  ['not an address', 'not an address'],
])('%j is the account %s', (text, account) => expect(normalEmail(text)).toBe(account))

/** What comes with an address that was copied, and what is sent then. */
const COPIED: readonly (readonly [string, string])[] = [
  ['mailto:mail.to@club.test', 'mail.to@club.test'],
  ['MAILTO:ana@club.test?subject=hi&cc=ben@club.test', 'ana@club.test'],
  ['<mailto:br@club.test>', 'br@club.test'],
  ['“smart@club.test”', 'smart@club.test'],
  ['‘single@club.test’', 'single@club.test'],
  ["'plain@club.test'", 'plain@club.test'],
  ["'cell@club.test", 'cell@club.test'],
  ['„tief@club.test“', 'tief@club.test'],
  ['«guill@club.test»', 'guill@club.test'],
  ['‹guill@club.test›', 'guill@club.test'],
  ['(ana@club.test)', 'ana@club.test'],
  ['[ana@club.test]', 'ana@club.test'],
  ['「ana@club.test」', 'ana@club.test'],
  ['zero\u200Bwidth@club.test', 'zerowidth@club.test'],
  ['\uFEFFana@club.test\u2060', 'ana@club.test'],
  ['soft\u00ADhyphen@club.test', 'softhyphen@club.test'],
  ['\u202Aana@club.test\u202C', 'ana@club.test'],
  ['colon@club.test:', 'colon@club.test'],
  ['Ana:col@club.test', 'col@club.test'],
  ['ana@club.test?subject=hi', 'ana@club.test'],
  ['arab@club.test،', 'arab@club.test'],
  ['jp@club.test。', 'jp@club.test'],
  ['dots@club.test…', 'dots@club.test'],
  ['wow@club.test!', 'wow@club.test'],
  ['ｆ＠club.test', 'f@club.test'],
  ['ana@club.test\u00A0', 'ana@club.test'],
]

describe('a copied address is cleaned, in a field and in a list', () => {
  it.each(COPIED)('%j is %s', (text, address) => {
    expect(cleanEmail(text)).toBe(address)
    expect(entriesOf(text).map((one) => one.text)).toEqual([address])
    expect(entriesOf(`ben@club.test\n${text}\n`).map((one) => one.text)).toEqual(['ben@club.test', address])
  })

  it.each([
    'o’neil',
    'ana@club',
    'x@club.t',
    '123@123.456',
    '.lead@club.test',
    'trail.@club.test',
    '⚽@club.test',
    'http://ana@club.test/',
  ])('what is no address even when cleaned stays as it was: %j', (text) => {
    expect(isEmail(text)).toBe(false)
    expect(cleanEmail(text)).toBe(text)
  })

  it.each(['_ana@club.test', '+1@club.test', "d'arc@club.test", '-dash@club.test'])('an address is not touched: %s', (text) =>
    expect(cleanEmail(text)).toBe(text),
  )
})

describe('a likely slip', () => {
  it.each([
    ['ana@gmial.con', 'ana@gmail.com'],
    ['ana@gmial.com', 'ana@gmail.com'],
    ['ana@gmai.com', 'ana@gmail.com'],
    ['ana@gmaill.com', 'ana@gmail.com'],
    ['ana@hotmial.fr', 'ana@hotmail.fr'],
    ['ana@outlok.com', 'ana@outlook.com'],
    ['ana@yaho.fr', 'ana@yahoo.fr'],
    ['ana@club.con', 'ana@club.com'],
  ])('%s is hinted at: %s', (text, meant) => expect(suggestAddress(text)).toBe(meant))

  it.each(['ana@gmail.com', 'ana@mail.com', 'ana@ymail.com', 'ana@club.test', 'ana@email.com', 'ana@live.de', 'ana', '@gmial.com'])(
    '%s is left alone',
    (text) => expect(suggestAddress(text)).toBeUndefined(),
  )
})

it('a long text of several lines is cleaned in linear time', () => {
  const begun = performance.now()
  const text = `${'@?'.repeat(50_000)}\nx`
  expect(cleanEmail(text)).toBe(text)
  expect(performance.now() - begun).toBeLessThan(1000)
})
