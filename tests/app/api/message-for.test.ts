import { beforeAll, expect, test } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { fieldErrorsOf, messageFor } from '#app/api/message-for.ts'
import { i18n } from '#app/i18n/i18n.ts'

const http = (data: unknown, status = 400) => new ApiError({ kind: 'HTTP', status, data })

beforeAll(async () => {
  const errors = { INVALID_CODE: 'The code is wrong', FETCH_ERROR: 'No answer', UNEXPECTED: 'Unexpected' }
  await i18n.init({ lng: 'en', keySeparator: false, resources: { en: { errors, home: { Failed: 'It failed' } } } })
})

test.each<[string, unknown, string | undefined, string]>([
  ['a known code has its words', http({ code: 'INVALID_CODE', message: 'server' }), 'home:Failed', 'The code is wrong'],
  ['an unknown one has the server’s', http({ code: 'NEWER_THAN_US', message: 'server' }), 'home:Failed', 'server'],
  ['a page has the screen’s', http(undefined, 502), 'home:Failed', 'It failed'],
  ['no answer has the screen’s', new ApiError({ kind: 'FETCH_ERROR' }), 'home:Failed', 'It failed'],
  ['no answer says so where the screen has none', new ApiError({ kind: 'FETCH_ERROR' }), undefined, 'No answer'],
  ['a bug is unexpected', new Error('x is undefined'), undefined, 'Unexpected'],
])('%s', (_, error, fallback, words) => {
  expect(messageFor(error, fallback)).toBe(words)
})

test('the fields of a refusal', () => {
  expect(fieldErrorsOf(http({ code: 'INVALID_EMAIL', message: '', fields: { email: 'EmailInvalid' } }))).toEqual({ email: 'EmailInvalid' })
  expect(fieldErrorsOf(new Error())).toEqual({})
})
