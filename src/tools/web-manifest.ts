import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import type { ManifestOptions } from 'vite-plugin-pwa'
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '#contract/languages.ts'
import { screens } from '#contract/screens.ts'
import { manifestFileOf } from '#contract/web-manifest.ts'
import { languageOfScreenshots, screenshotFile, SHOTS, WINDOWS } from './screenshots.ts'

const icon = (file: string, size: number, purpose: 'any' | 'maskable' | 'monochrome') => ({
  src: `/icons/${file}`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

const shortcut = (name: string, url: string) => ({ name, url, icons: [icon('icon-192.png', 192, 'any')] })

type Words = Readonly<Record<string, string>>

const SCREENSHOT_WORDS = { test: 'ScreenshotTest', home: 'ScreenshotHome', results: 'ScreenshotResults', team: 'ScreenshotTeam' } as const

function screenshots(language: Language, words: Words): ManifestOptions['screenshots'] {
  return SHOTS.map((shot) => {
    const { width, height, scale } = WINDOWS[shot.formFactor]
    return {
      src: `/screenshots/${screenshotFile(languageOfScreenshots(language), shot)}`,
      sizes: `${width * scale}x${height * scale}`,
      type: 'image/webp',
      form_factor: shot.formFactor,
      label: words[SCREENSHOT_WORDS[shot.screen]] ?? '',
    }
  })
}

/**
 * What an installed Touchline is called and looks like, in one language. All languages are the same app: `id` must never change, as it is
 * the installed app's identity.
 */
export function webManifest(language: Language): Partial<ManifestOptions> {
  const words = JSON.parse(readFileSync(new URL(`../../locales/${language}/manifest.json`, import.meta.url), 'utf8')) as Words
  const { Description = '', Continue = '', Device = '', Profile = '', About = '' } = words
  return {
    id: '/',
    scope: '/',
    start_url: '/',
    display: 'standalone',
    // the icon brings an open app to the front as it is: a questionnaire is not left by it. shell/launches.ts
    launch_handler: { client_mode: ['focus-existing', 'auto'] },
    orientation: 'any',
    name: 'Touchline',
    short_name: 'Touchline',
    description: Description,
    lang: language,
    dir: 'ltr',
    // --pitch of tokens.css, which a manifest cannot read; tests/house/colours.test.ts compares them. The start screen has one colour
    // for the light and the dark theme: that of the bar and of the icon, which flashes in neither.
    theme_color: '#0f5438',
    background_color: '#0f5438',
    categories: ['sports', 'education'],
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('icon-maskable-192.png', 192, 'maskable'),
      icon('icon-maskable-512.png', 512, 'maskable'),
      icon('icon-monochrome-512.png', 512, 'monochrome'),
    ],
    screenshots: screenshots(language, words),
    shortcuts: [
      shortcut(Continue, screens.continue.path),
      shortcut(Device, screens.device.path),
      shortcut(Profile, screens.profile.path),
      shortcut(About, screens.about.path),
    ],
  }
}

/** Writes the manifests of the other languages; vite-plugin-pwa writes the one that index.html names. */
export function otherManifests(): Plugin {
  return {
    name: 'touchline:other-manifests',
    apply: 'build',
    generateBundle() {
      for (const language of LANGUAGES.filter((one) => one !== FALLBACK_LANGUAGE))
        this.emitFile({ type: 'asset', fileName: manifestFileOf(language), source: JSON.stringify(webManifest(language)) })
    },
  }
}
