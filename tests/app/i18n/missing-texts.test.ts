import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { messageFor, reasonFor } from '#app/api/message-for.ts'
import { i18n, LATE_WORDS, loadIfPossible, retryLostWords, startI18n } from '#app/i18n/i18n.ts'
import { translatorFor } from '#app/i18n/use-translation.ts'
import * as wordFiles from '#app/i18n/word-files.ts'
import { errors } from '#contract/errors.ts'

vi.mock('#app/i18n/word-files.ts', { spy: true })

/** The texts of failures load after the first paint. Until then a failure shows another text, never its code. */

beforeAll(async () => {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, { getItem: () => null })
  vi.stubGlobal('navigator', { languages: ['en'] })
  vi.stubGlobal('document', { documentElement: {} })
  await startI18n()
  return () => vi.unstubAllGlobals()
})

const failures = [
  ...Object.entries(errors).map(([code, status]) => new ApiError({ kind: 'HTTP', status, data: { code, message: '', requestId: '' } })),
  ...([429, 500, 502, 503] as const).map((status) => new ApiError({ kind: 'HTTP', status })),
  new ApiError({ kind: 'HTTP', status: 429, retryAfterSeconds: 3600 }),
  ...(['FETCH_ERROR', 'TIMEOUT_ERROR', 'PARSING_ERROR'] as const).map((kind) => new ApiError({ kind })),
  new Error('a bug'),
]

test('no failure shows its code while its texts are not loaded', () => {
  expect(i18n.hasResourceBundle('en', 'errors')).toBe(false)
  for (const failure of failures) {
    for (const text of [messageFor(failure), messageFor(failure, 'home:FailedToReclaim'), reasonFor(failure)]) {
      if (text !== undefined) expect(text, String(failure)).toMatch(/ \w+/)
    }
  }
})

test('a screen that names a code shows the text for an unexpected error until then', () => {
  const t = translatorFor('en', 'shell')
  expect(t(['errors:INSTANCE_RECLAIMED', 'errors:UNEXPECTED'])).toBe(i18n.t('ui:UnexpectedError'))
  expect(t('errors:INSTANCE_RECLAIMED')).toBe(i18n.t('ui:UnexpectedError'))
})

test('a text that cannot be loaded never shows its name, and comes once it can be', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const t = translatorFor('en', 'leaving')
  let isWhole = false
  const retried = Promise.withResolvers<void>()
  retryLostWords(async (load) => {
    await retried.promise
    await load()
  })
  vi.spyOn(wordFiles, 'loadWords').mockImplementation(async () =>
    isWhole ? { Discard: 'Discard them' } : Promise.reject(new TypeError('lost')),
  )
  const loading = loadIfPossible('en', 'leaving')
  await vi.advanceTimersByTimeAsync(60_000)
  await loading
  expect([t('Discard'), t('UnsentTitle', { count: 2 })]).toEqual(['…', '…'])

  isWhole = true
  const late = new Promise<void>((resolve) => void i18n.on(LATE_WORDS, resolve))
  retried.resolve()
  await late
  expect(t('Discard')).toBe('Discard them')
})
