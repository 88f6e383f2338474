import { expect, test } from 'vitest'
import { digitsOf } from '#app/parts/details/digits.ts'

test.each([
  ['typed', '12345678', '12345678'],
  ['from a mail', 'Your code: 1234 5678\n', '12345678'],
  ['full-width', '１２３４－５６７８', '12345678'],
  ['Arabic-Indic', '٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['Persian', '۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['Devanagari', '०१२३४५६७८९', '0123456789'],
  ['Adlam, beyond the first plane', '𞥐𞥑𞥒𞥓𞥔𞥕𞥖𞥗𞥘𞥙', '0123456789'],
  ['mixed', '1२٣４', '1234'],
  ['no digits', '½ Ⅷ 八 ten', ''],
])('digits are read from a text: %s', (_, text, digits) => {
  expect(digitsOf(text)).toBe(digits)
})

test('every decimal digit of Unicode is read as its value', () => {
  const all = Array.from({ length: 0x110000 }, (_, code) => code).filter(
    (code) => (code < 0xd800 || code > 0xdfff) && /^\p{Nd}$/u.test(String.fromCodePoint(code)),
  )
  const values = all.map((code) => digitsOf(String.fromCodePoint(code)))
  expect(values.join('')).toBe('0123456789'.repeat(all.length / 10))
})
