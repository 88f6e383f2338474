import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { personalShape } from '#app/parts/details/player-details.ts'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'

/** Every call and form that takes an address judges it by the one rule of contract/rules/email.ts. */

const calls = Object.values(api).flatMap((subject) => Object.entries<Endpoint>(subject))
const fields = calls.flatMap(([call, { body, query }]) =>
  [body, query].flatMap((part) =>
    part instanceof z.ZodMiniObject
      ? Object.entries(part.shape).flatMap(([name, field]) => (/e-?mail$/i.test(name) ? [{ call, name, field }] : []))
      : [],
  ),
)

it('these calls have address fields', () => {
  expect(new Set(fields.map(({ call }) => call))).toEqual(
    new Set([
      'initiate',
      'sendOtp',
      'verifyOtp',
      'update',
      'searchByEmail',
      'allocate',
      'correctAddress',
      'resend',
      'resendTo',
      'list',
      'create',
      'erase',
      'block',
      'unblock',
    ]),
  )
})

const WRONG = [
  'mailto:ana@club.test',
  '“ana@club.test”',
  'zero\u200Bwidth@club.test',
  'ana@club.t',
  'ana@123.456',
  '.ana@club.test',
  'ana@-club.test',
]

describe.each(fields)('$call: $name', ({ field }) => {
  const isTaken = (text: string) => z.safeParse(field, text).success

  it.each(['ana@club.test', ' ana@club.test ', 'élodie@exemple.fr'])('takes %j', (text) => expect(isTaken(text)).toBe(true))
  it.each(WRONG)('refuses %j', (text) => expect(isTaken(text)).toBe(false))
})

describe('a form', () => {
  it.each(WRONG.slice(0, 2))('cleans %j', (text) => expect(personalShape.email.parse(text)).toBe('ana@club.test'))
  it.each(WRONG.slice(3))('refuses %j', (text) => expect(personalShape.email.safeParse(text).success).toBe(false))
})
