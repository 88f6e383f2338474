import { expect, test } from 'vitest'
import { ApiError, staysUnknown } from '#app/api/api-error.ts'

const refusal = (status: number, code: string) => new ApiError({ kind: 'HTTP', status, data: { code, message: '', requestId: '' } })

test.each([
  ['no reply', new ApiError({ kind: 'FETCH_ERROR' }), true, true],
  ['a failing server', refusal(500, 'INTERNAL'), true, true],
  ['a proxy’s page', new ApiError({ kind: 'HTTP', status: 403, data: '<h1>Forbidden</h1>' }), false, true],
  ['a limit', refusal(429, 'TOO_MANY_REQUESTS'), false, true],
  ['an ended session', refusal(401, 'INVALID_TOKEN'), false, true],
  ['an old app', refusal(426, 'UPDATE_REQUIRED'), false, true],
  ['a refusal of what was asked', refusal(409, 'ALREADY_RECLAIMED'), false, false],
  ['an error of the app', new Error('a bug'), false, true],
])('%s: whether it is unknown what the server did, at first and after a lost reply', (_, error, first, later) => {
  expect([staysUnknown(false, error), staysUnknown(true, error)]).toEqual([first, later])
})

test.each([401, 403, 404, 410, 451, 502, 511])('a %i that is not ours may pass, and refuses nothing', (status) => {
  expect(new ApiError({ kind: 'HTTP', status, data: { code: 'BAD', message: 'policy' } }).isTransient).toBe(true)
  expect(refusal(409, 'ALREADY_RECLAIMED').isTransient).toBe(false)
})
