import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { i18n, startI18n } from '#app/i18n/i18n.ts'
import { chooseLanguage } from '#app/shell/chosen-language.ts'
import { toasts } from '#app/ui/feedback/toast.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** A language is chosen once its texts are here. PRODUCT-9 */

const words = { Title: 'a text' }
let french = Promise.withResolvers<Record<string, string>>()

vi.mock('#app/i18n/word-files.ts', () => ({
  loadWords: async (language: string) => (language === 'fr' ? french.promise : words),
}))

beforeEach(async () => {
  vi.stubGlobal('localStorage', fakeStorage())
  vi.stubGlobal('document', { documentElement: {} })
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  french = Promise.withResolvers()
  await startI18n()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('if it arrives after another was chosen, that one stays', async () => {
  const choosing = chooseLanguage('fr')
  await chooseLanguage('en')
  french.resolve(words)
  await choosing
  expect(i18n.language).toBe('en')
})

test('if it fails, the present one stays and a toast says so; the next try begins anew', async () => {
  const choosing = chooseLanguage('fr')
  french.reject(new TypeError('Failed to fetch'))
  await choosing
  expect([i18n.language, toasts.get()?.tone, localStorage.getItem('language')]).toEqual(['en', 'refused', 'en'])
  french = Promise.withResolvers()
  french.resolve(words)
  await chooseLanguage('fr')
  expect(i18n.language).toBe('fr')
})
