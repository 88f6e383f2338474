import { readFileSync, statSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { everyScreen } from '#contract/screens.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { webManifest } from '#tools/web-manifest.ts'

/** INSTALL-1, INSTALL-5, INSTALL-6 */

const publicFile = (src: string) => new URL(`../../public${src}`, import.meta.url)
/** What a browser fetches before its install dialog opens, on a phone's connection. */
const SCREENSHOT_BYTES = 120_000

describe.each(LANGUAGES)('the manifest in %s', (language) => {
  const manifest = webManifest(language)
  const { screenshots = [], icons = [], shortcuts = [] } = manifest

  it('is that of the same app', () => {
    expect(manifest).toMatchObject({ id: '/', scope: '/', start_url: '/', display: 'standalone', lang: language })
  })

  it('begins its shortcuts with the assessment under way, and each is a screen with a name', () => {
    expect(shortcuts[0]?.url).toBe('/assessment/continue')
    for (const { url, name } of shortcuts) {
      expect(everyScreen.some(({ path }) => path === url)).toBe(true)
      expect(name).not.toBe('')
    }
    // the icon's own URL would not be told apart from the icon (shell/launches.ts)
    expect(shortcuts.map(({ url }) => url)).not.toContain('/')
  })

  it('has screenshots of its language for narrow and wide windows, in the sizes that browsers take', async () => {
    expect(new Set(screenshots.map(({ form_factor }) => form_factor))).toEqual(new Set(['narrow', 'wide']))
    for (const { src, sizes, label } of screenshots) {
      expect(src).toContain(`/${language}/`)
      expect(label).not.toBe('')
      const { width, height, format } = await sharp(readFileSync(publicFile(src))).metadata()
      expect([`${width}x${height}`, format]).toEqual([sizes, 'webp'])
      expect(Math.max(width, height) / Math.min(width, height)).toBeLessThanOrEqual(2.3)
      expect(statSync(publicFile(src)).size, src).toBeLessThan(SCREENSHOT_BYTES)
    }
  })

  it('has icons that are there', () => {
    expect(icons.length).toBeGreaterThan(3)
    for (const { src = '' } of icons) expect(statSync(publicFile(src)).isFile()).toBe(true)
  })
})

it('the manifests differ only in their words', () => {
  const withoutWords = LANGUAGES.map((language) => {
    const { description: _, lang: _lang, shortcuts = [], screenshots = [], ...same } = webManifest(language)
    return { ...same, urls: shortcuts.map(({ url }) => url), sizes: screenshots.map(({ sizes }) => sizes) }
  })
  for (const one of withoutWords) expect(one).toEqual(withoutWords[0])
  const names = LANGUAGES.map((language) => webManifest(language).shortcuts?.[0]?.name)
  expect(new Set(names).size).toBe(LANGUAGES.length)
})
