import { existsSync } from 'node:fs'
import { launchOptions } from '../browser.ts'
import type { Engine } from './engine.ts'
import { PuppeteerBrowser } from './puppeteer.ts'
import { isWebKitInstalled, WebKitBrowser } from './webkit.ts'

const FIREFOX = [
  process.env['FIREFOX_PATH'] ?? '',
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
].find((place) => existsSync(place))

/** The headless shell has no settings. */
const FULL_CHROMIUM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((place) => existsSync(place))

const { executablePath, args = [], env = {} } = await launchOptions()

const chromium = (path: string | undefined) => ({
  browser: 'chrome' as const,
  executablePath: path ?? '',
  args: [...args, '--lang=en-US', '--force-prefers-reduced-motion'],
  env,
})

const NO_COOKIES = { profile: { default_content_setting_values: { cookies: 2 } } }

export const CHROMIUM: Engine = {
  name: 'Chromium',
  isInstalled: executablePath !== undefined,
  browser: (folder) => new PuppeteerBrowser(folder, chromium(executablePath)),
  blocking:
    FULL_CHROMIUM === undefined
      ? {}
      : { 'all cookies blocked': (folder) => new PuppeteerBrowser(folder, chromium(FULL_CHROMIUM), NO_COOKIES) },
}

const firefoxWith = (settings: Record<string, unknown>) => (folder: string) =>
  new PuppeteerBrowser(folder, {
    browser: 'firefox',
    executablePath: FIREFOX ?? '',
    extraPrefsFirefox: { 'intl.accept_languages': 'en-US, en', 'ui.prefersReducedMotion': 1, ...settings },
  })

const firefox: Engine = {
  name: 'Firefox',
  isInstalled: FIREFOX !== undefined,
  browser: firefoxWith({}),
  blocking: {
    'all cookies blocked': firefoxWith({ 'network.cookie.cookieBehavior': 2 }),
    'DOM storage switched off': firefoxWith({ 'dom.storage.enabled': false }),
  },
}

const webkit: Engine = {
  name: 'WebKitGTK',
  isInstalled: isWebKitInstalled,
  browser: (folder) => new WebKitBrowser(folder),
  blocking: { 'local storage and databases switched off': (folder) => new WebKitBrowser(folder, 'no-storage') },
}

/** The engines of Chrome and Edge, of Firefox, and of Safari. */
export const engines: readonly Engine[] = [CHROMIUM, firefox, webkit]
