import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FAILED_READ_WAITS, PART_SLOW_MS } from '#app/constants.ts'
import type { Language } from '#contract/languages.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** A language is shown once its texts are here. PRODUCT-9 */

const words = { Title: 'a text' }
const files = vi.hoisted(() => ({ load: async (_path: string): Promise<Record<string, string>> => ({}) }))
vi.mock('#app/i18n/word-files.ts', () => ({ loadWords: async (language: string, area: string) => files.load(`${language}/${area}`) }))

let page: EventTarget

async function open(language: Language = 'en') {
  vi.stubGlobal('localStorage', fakeStorage())
  vi.stubGlobal('sessionStorage', fakeStorage())
  localStorage.setItem('language', language)
  files.load = async () => words
  return load()
}

/** A page of this tab. */
async function load() {
  vi.resetModules()
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('document', { documentElement: {} })
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { i18n, loadWordsAhead, startI18n } = await import('#app/i18n/i18n.ts')
  const { chooseLanguage, watchStoredLanguage } = await import('#app/shell/chosen-language.ts')
  const { toasts } = await import('#app/ui/feedback/toast.ts')
  await startI18n()
  return { i18n, loadWordsAhead, chooseLanguage, watchStoredLanguage, toasts }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Its texts come when the returned function is called. */
function hold(language: Language): () => void {
  const held = Promise.withResolvers<void>()
  files.load = async (path) => {
    if (path.startsWith(language)) await held.promise
    return words
  }
  return held.resolve
}

const fail = (wanted: string) => {
  files.load = (path) => (path.startsWith(wanted) ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(words))
}

function chooseInAnotherTab(language: Language): void {
  localStorage.setItem('language', language)
  page.dispatchEvent(Object.assign(new Event('storage'), { key: 'language', newValue: language }))
}

test('if it arrives after another was chosen, that one stays', async () => {
  const { i18n, chooseLanguage } = await open()
  const release = hold('fr')
  const choosing = chooseLanguage('fr')
  await chooseLanguage('en')
  release()
  await choosing
  expect(i18n.language).toBe('en')
})

test('if it fails, the present one stays and a toast says so; the next try begins anew', async () => {
  const { i18n, chooseLanguage, toasts } = await open()
  fail('fr')
  await chooseLanguage('fr')
  expect([i18n.language, toasts.get()?.tone, localStorage.getItem('language')]).toEqual(['en', 'refused', 'en'])
  files.load = async () => words
  await chooseLanguage('fr')
  expect(i18n.language).toBe('fr')
})

test('a page that reloads before it is here begins in the one that was shown, and changes once it is', async () => {
  const { chooseLanguage } = await open()
  hold('fr')
  void chooseLanguage('fr')
  // the page goes, with all that it waits for
  vi.clearAllTimers()
  fail('fr')
  const { i18n, watchStoredLanguage } = await load()
  expect(i18n.language).toBe('en')
  watchStoredLanguage()
  await vi.advanceTimersByTimeAsync(FAILED_READ_WAITS.first)
  expect([i18n.language, localStorage.getItem('language')]).toEqual(['en', 'fr'])
  files.load = async () => words
  await vi.advanceTimersByTimeAsync(FAILED_READ_WAITS.longest)
  expect(i18n.language).toBe('fr')
  expect((await load()).i18n.language).toBe('fr')
})

test('if it never comes, that is said, too', async () => {
  const { i18n, chooseLanguage, toasts } = await open()
  hold('fr')
  const choosing = chooseLanguage('fr')
  await vi.advanceTimersByTimeAsync(PART_SLOW_MS)
  await choosing
  expect([i18n.language, toasts.get()?.tone]).toEqual(['en', 'refused'])
})

test('it waits for the texts of a screen that is opened meanwhile, too', async () => {
  const { i18n, chooseLanguage, loadWordsAhead } = await open()
  const release = hold('fr')
  const choosing = chooseLanguage('fr')
  await loadWordsAhead('about')
  release()
  await choosing
  expect([i18n.language, i18n.hasResourceBundle('fr', 'about')]).toEqual(['fr', true])
})

test('two that were chosen in another tab one after the other: the last one is shown', async () => {
  const { i18n, watchStoredLanguage } = await open()
  watchStoredLanguage()
  const release = hold('fr')
  chooseInAnotherTab('fr')
  chooseInAnotherTab('en')
  release()
  await vi.advanceTimersByTimeAsync(FAILED_READ_WAITS.longest)
  expect(i18n.language).toBe('en')
})

test('one that was chosen in another tab, and has no texts here yet, is shown once it has', async () => {
  const { i18n, watchStoredLanguage } = await open('fr')
  watchStoredLanguage()
  fail('en')
  chooseInAnotherTab('en')
  await vi.advanceTimersByTimeAsync(FAILED_READ_WAITS.longest)
  expect(i18n.language).toBe('fr')
  files.load = async () => words
  await vi.advanceTimersByTimeAsync(FAILED_READ_WAITS.longest)
  expect(i18n.language).toBe('en')
})
