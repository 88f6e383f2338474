import { expect, test } from 'vitest'
import { beginsNewCode } from '#app/screens/auth/begins-new-code.ts'

test.each([
  ['the field is emptied', '123', ''],
  ['a code is pasted over others', '12345678', '87654321'],
  ['a code is pasted that has the same first digits', '12345678', '12387654'],
  ['a code is suggested after one digit, with which it begins', '1', '12345678'],
  ['all is selected and the first digit typed', '12345678', '9'],
  ['all is selected and the same first digit typed', '12345678', '1'],
])('a new code begins where %s', (_, before, next) => {
  expect(beginsNewCode(before, next)).toBe(true)
})

test.each([
  ['a digit is typed', '123', '1234'],
  ['the last digit is removed', '12345678', '1234567'],
  ['another last digit is typed', '1234567', '12345679'],
  ['a digit in the middle is removed', '12345678', '1235678'],
  ['a digit in the middle is replaced', '12345678', '12395678'],
  ['one of equal digits is removed', '11111111', '1111111'],
])('the code goes on where %s', (_, before, next) => {
  expect(beginsNewCode(before, next)).toBe(false)
})
