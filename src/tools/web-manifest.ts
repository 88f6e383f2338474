import type { ManifestOptions } from 'vite-plugin-pwa'
import { screens } from '#contract/screens.ts'

const icon = (file: string, size: number, purpose: 'any' | 'maskable' | 'monochrome') => ({
  src: `/icons/${file}`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

const shortcut = (name: string, url: string) => ({ name, url, icons: [icon('icon-192.png', 192, 'any')] })

/** What an installed Touchline is called and looks like. `id` must never change: it is the installed app's identity. */
export const webManifest: Partial<ManifestOptions> = {
  id: '/',
  scope: '/',
  start_url: '/',
  display: 'standalone',
  orientation: 'any',
  name: 'Touchline',
  short_name: 'Touchline',
  description: 'Sports assessments for players and their coaches. Answers are kept on the device, also where there is no signal.',
  lang: 'en',
  dir: 'ltr',
  // --pitch and --ground of tokens.css, which a manifest cannot read; tests/house/colours.test.ts compares them
  theme_color: '#0f5438',
  background_color: '#f8f8f1',
  categories: ['sports', 'education'],
  icons: [
    icon('icon-192.png', 192, 'any'),
    icon('icon-512.png', 512, 'any'),
    icon('icon-maskable-192.png', 192, 'maskable'),
    icon('icon-maskable-512.png', 512, 'maskable'),
    icon('icon-monochrome-512.png', 512, 'monochrome'),
  ],
  shortcuts: [shortcut('Dashboard', screens.home.path), shortcut('Profile', screens.profile.path), shortcut('About', screens.about.path)],
}
