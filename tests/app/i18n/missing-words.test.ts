import { beforeAll, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { messageFor, reasonFor } from '#app/api/message-for.ts'
import { i18n, startWords } from '#app/i18n/i18n.ts'
import { translatorFor } from '#app/i18n/use-translation.ts'
import { errors } from '#contract/errors.ts'

/** The words for failures load after the first paint. Until then a failure shows other words, never its code. */

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('navigator', { languages: ['en'] })
  vi.stubGlobal('document', { documentElement: {} })
  await startWords()
  return () => vi.unstubAllGlobals()
})

const failures = [
  ...Object.entries(errors).map(([code, status]) => new ApiError({ kind: 'HTTP', status, data: { code, message: '', requestId: '' } })),
  ...([429, 500, 502, 503] as const).map((status) => new ApiError({ kind: 'HTTP', status })),
  new ApiError({ kind: 'HTTP', status: 429, retryAfterSeconds: 3600 }),
  ...(['FETCH_ERROR', 'TIMEOUT_ERROR', 'PARSING_ERROR'] as const).map((kind) => new ApiError({ kind })),
  new Error('a bug'),
]

test('no failure shows its code while its words are not loaded', () => {
  expect(i18n.hasResourceBundle('en', 'errors')).toBe(false)
  for (const failure of failures) {
    for (const words of [messageFor(failure), messageFor(failure, 'home:FailedToReclaim'), reasonFor(failure)]) {
      if (words !== undefined) expect(words, String(failure)).toMatch(/ \w+/)
    }
  }
})

test('a screen that names a code shows the words for an unexpected error until then', () => {
  const t = translatorFor('en', 'shell')
  expect(t(['errors:INSTANCE_RECLAIMED', 'errors:UNEXPECTED'])).toBe(i18n.t('ui:UnexpectedError'))
  expect(t('errors:INSTANCE_RECLAIMED')).toBe(i18n.t('ui:UnexpectedError'))
})
