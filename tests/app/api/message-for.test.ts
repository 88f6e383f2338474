import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { fieldErrorsOf, messageFor, reasonFor } from '#app/api/message-for.ts'
import { loadOnce } from '#app/ui/browser/load-once.ts'
import { formatTime } from '#app/i18n/times.ts'
import { i18n } from '#app/i18n/i18n.ts'

const http = (data: unknown, status = 400) => new ApiError({ kind: 'HTTP', status, data })

beforeAll(async () => {
  const errors = {
    INVALID_CODE: 'The code is wrong',
    FETCH_ERROR: 'No answer',
    STORAGE_FULL: 'No room',
    PARSING_ERROR: 'Not from us',
    UNEXPECTED: 'Unexpected',
    TOO_MANY_REQUESTS: 'Wait a moment',
    UNAVAILABLE: 'Not available',
    WAIT_UNTIL: 'At {{time}}',
    WAIT_UNTIL_DAY_AND_TIME: 'On {{day}} at {{time}}',
    WAIT_UNTIL_DAY: 'On {{day}}',
  }
  await i18n.init({ lng: 'en', keySeparator: false, resources: { en: { errors, home: { Failed: 'It failed' } } } })
})

/** As a dynamic import rejects, in each browser with other words. */
const notFetched = await loadOnce(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))().catch(
  (error: unknown) => error,
)

test.each<[string, unknown, string | undefined, string]>([
  [
    'a known code shows its own words',
    http({ code: 'INVALID_CODE', message: 'server', requestId: 'r' }),
    'home:Failed',
    'The code is wrong',
  ],
  [
    'an unknown code shows the server’s message',
    http({ code: 'NEWER_THAN_US', message: 'server', requestId: 'r' }),
    'home:Failed',
    'server',
  ],
  ['an HTML page shows the screen’s own sentence', http(undefined, 502), 'home:Failed', 'It failed'],
  ['a login page of the network says that the reply is not ours', http('<h1>Sign in</h1>', 511), undefined, 'Not from us'],
  ['a filter’s page says that the reply is not ours', http({ code: 'BAD', message: 'policy' }, 403), undefined, 'Not from us'],
  ['a failing proxy says that the service is not available', http(undefined, 502), undefined, 'Not available'],
  ['a proxy’s limit says to wait', http(undefined, 429), undefined, 'Wait a moment'],
  ['no reply shows the screen’s own sentence', new ApiError({ kind: 'FETCH_ERROR' }), 'home:Failed', 'It failed'],
  ['no reply says so where the screen has no sentence', new ApiError({ kind: 'FETCH_ERROR' }), undefined, 'No answer'],
  ['a full device says so, whatever the screen’s sentence', new DOMException('', 'QuotaExceededError'), 'home:Failed', 'No room'],
  ['a part of the app that could not be fetched says so', notFetched, undefined, 'No answer'],
  ['a part of the app that could not be fetched shows the screen’s own sentence', notFetched, 'home:Failed', 'It failed'],
  ['a bug shows the words for an unexpected error', new Error('x is undefined'), undefined, 'Unexpected'],
])('%s', (_, error, fallback, words) => {
  expect(messageFor(error, fallback)).toBe(words)
})

test('a wait of hours or days names the time, not “a moment”', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 23, 9, 30) })
  onTestFinished(() => void vi.useRealTimers())
  const refused = (retryAfterSeconds: number) =>
    messageFor(
      new ApiError({
        kind: 'HTTP',
        status: 429,
        data: { code: 'TOO_MANY_REQUESTS', message: 'server', requestId: 'r' },
        retryAfterSeconds,
      }),
    )
  expect(refused(3)).toBe('Wait a moment')
  expect(refused(3600)).toBe(`At ${formatTime(new Date(2026, 10, 23, 10, 30).getTime())}`)
  expect(refused(86_400)).toBe(`On November 24 at ${formatTime(new Date(2026, 10, 24, 9, 30).getTime())}`)
  expect(refused(7 * 86_400)).toBe('On November 30')
})

test('the day on which a wait ends is written as its language writes a first of the month', async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 24, 9, 30) })
  onTestFinished(() => void vi.useRealTimers())
  i18n.addResourceBundle('fr', 'errors', { WAIT_UNTIL_DAY: 'Le {{day}}' })
  onTestFinished(() => void i18n.changeLanguage('en'))
  await i18n.changeLanguage('fr')
  const data = { code: 'TOO_MANY_REQUESTS', message: 'server', requestId: 'r' }
  const refused = new ApiError({ kind: 'HTTP', status: 429, data, retryAfterSeconds: 7 * 86_400 })
  expect(messageFor(refused)).toBe('Le 1er décembre')
})

test('a wait counts from the reply, however late its message is shown', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 23, 9, 30) })
  onTestFinished(() => void vi.useRealTimers())
  const refused = new ApiError({ kind: 'HTTP', status: 429, retryAfterSeconds: 3600 })
  vi.setSystemTime(new Date(2026, 10, 23, 9, 50))
  expect(reasonFor(refused)).toBe(`At ${formatTime(new Date(2026, 10, 23, 10, 30).getTime())}`)
})

test.each<[string, unknown, string | undefined]>([
  ['a limit without a time', http({}, 429), 'Wait a moment'],
  ['a proxy that finds no server', http(undefined, 503), 'Not available'],
  ['no reply', new ApiError({ kind: 'FETCH_ERROR' }), 'No answer'],
  ['none for a refusal, which does not pass by itself', http({ code: 'INVALID_CODE', message: 'server', requestId: 'r' }), undefined],
  ['none for a bug', new Error('x is undefined'), undefined],
])('the reason beside the screen’s own sentence: %s', (_, error, words) => {
  expect(reasonFor(error)).toBe(words)
})

test('a refusal names its invalid fields, any other error none', () => {
  expect(fieldErrorsOf(http({ code: 'INVALID_EMAIL', message: '', requestId: 'r', fields: { email: 'EmailInvalid' } }))).toEqual({
    email: 'EmailInvalid',
  })
  expect(fieldErrorsOf(new Error())).toEqual({})
})
