import { beforeAll, expect, test } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { i18n } from '#app/i18n/i18n.ts'
import { isSettled, tokenTrouble } from '#app/screens/tokens/token-trouble.ts'
import { read } from '#tests/house/source-files.ts'

const words = (area: string, language = 'en') => JSON.parse(read(`locales/${language}/${area}.json`)) as Record<string, string>
const refusal = (code: string, retryAfterSeconds: number) =>
  new ApiError({ kind: 'HTTP', status: 429, data: { code, message: '', requestId: '' }, retryAfterSeconds })

beforeAll(async () => {
  await i18n.init({
    lng: 'en',
    keySeparator: false,
    resources: {
      en: { errors: words('errors'), home: words('home'), tokens: words('tokens') },
      fr: { errors: words('errors', 'fr'), home: words('home', 'fr'), tokens: words('tokens', 'fr') },
    },
  })
})

test.each(['ADDRESS_LIMIT', 'ALLOCATION_LIMIT'])('%s names the day from which one can try again, not “a moment”', (code) => {
  const said = tokenTrouble(refusal(code, 7 * 86_400), 'tokens:ResendFailed')
  expect(said).toMatch(/You can try again from .*\d{4}\.$/)
  expect(said).not.toContain('moment')
})

test('in French a time of day has no article before it: one says “à partir de 14:02”', async () => {
  await i18n.changeLanguage('fr')
  const soon = tokenTrouble(refusal('ADDRESS_LIMIT', 1), 'tokens:ResendFailed')
  const later = tokenTrouble(refusal('ADDRESS_LIMIT', 7 * 86_400), 'tokens:ResendFailed')
  await i18n.changeLanguage('en')
  expect(soon).toMatch(/ à partir de \d\d:\d\d/)
  expect(later).toMatch(/ à partir de \d\d:\d\d, \d.* \d{4}\.$/)
})

test('other refusals name no time', () => {
  expect(tokenTrouble(refusal('TOO_MANY_REQUESTS', 60), 'tokens:ResendFailed')).toBe(words('errors')['TOO_MANY_REQUESTS'])
})

test('ADDRESS_LIMIT is settled: a retry now would not help', () => {
  expect(isSettled(refusal('ADDRESS_LIMIT', 60))).toBe(true)
})

test('a proxy’s 404 or 409 settles nothing, ours does', () => {
  const replied = (status: number, data: unknown) => isSettled(new ApiError({ kind: 'HTTP', status, data }))
  const ours = { code: 'NOT_FOUND', message: '', requestId: '' }
  for (const status of [404, 409]) expect([replied(status, '<h1>Blocked</h1>'), replied(status, ours)]).toEqual([false, true])
})
