import { Suspense } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { i18n, LATE_WORDS, loadIfPossible, retryLostWords, startI18n } from '#app/i18n/i18n.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'

/** Texts that do not come are not waited for twice (docs/decisions/0067). */

// the server renderer refuses a store without a server snapshot
vi.mock('react', async (original) => {
  const react = await original<typeof import('react')>()
  return { ...react, useSyncExternalStore: (subscribe: never, get: () => unknown) => react.useSyncExternalStore(subscribe, get, get) }
})

const missing = vi.hoisted(() => new Set<string>())
vi.mock('#app/i18n/word-files.ts', () => ({
  loadWords: async (_: string, area: string) => {
    if (missing.has(area)) throw new TypeError('Failed to fetch')
    return { Title: `the title of ${area}` }
  },
}))

let retries: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  vi.useFakeTimers()
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, { getItem: () => null })
  vi.stubGlobal('navigator', { languages: ['en'] })
  vi.stubGlobal('document', { documentElement: {} })
  await startI18n()
  retryLostWords((load) => new Promise<void>((resolve) => void retries.push(() => load().then(() => resolve()))))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Title({ area }: { area: string }) {
  return <p>{useTranslation(area).t('Title')}</p>
}

const shown = (...areas: string[]) =>
  renderToStaticMarkup(
    <Suspense fallback="waits">
      {areas.map((area) => (
        <Title key={area} area={area} />
      ))}
    </Suspense>,
  )

test('a screen that is shown without some of its texts stays, whatever else comes', async () => {
  for (const area of ['parts', 'errors']) missing.add(area)
  expect(shown('parts', 'errors')).toContain('waits')
  const loading = Promise.all([loadIfPossible('en', 'parts'), loadIfPossible('en', 'errors')])
  await vi.advanceTimersByTimeAsync(60_000)
  await loading
  expect(shown('parts', 'errors')).toBe('<p>…</p><p>…</p>')

  missing.delete('parts')
  const late = new Promise<void>((resolve) => void i18n.on(LATE_WORDS, resolve))
  await retries[0]?.()
  await late
  expect(shown('parts', 'errors')).toBe('<p>the title of parts</p><p>…</p>')
})
