import { expect, test } from 'vitest'
import { initialsOf } from '#app/parts/person/initials.ts'

test.each([
  [['Noa', 'Tremblay'], 'NT'],
  [['élodie', 'ødegaard'], 'ÉØ'],
  [['Noa', null], 'N'],
  [[' ', 'tremblay '], 'T'],
  [['𝒜da', 'Lovelace'], '𝒜L'],
  [['a', 'b', 'c'], 'AB'],
  [[null, null], ''],
])('the initials of %j are %s', (names, initials) => {
  expect(initialsOf(...names)).toBe(initials)
})
