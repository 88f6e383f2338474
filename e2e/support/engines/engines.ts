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

const { executablePath, args = [], env = {} } = await launchOptions()

export const CHROMIUM: Engine = {
  name: 'Chromium',
  isInstalled: executablePath !== undefined,
  browser: (folder) =>
    new PuppeteerBrowser(folder, {
      browser: 'chrome',
      executablePath: executablePath ?? '',
      args: [...args, '--lang=en-US', '--force-prefers-reduced-motion'],
      env,
    }),
}

const firefox: Engine = {
  name: 'Firefox',
  isInstalled: FIREFOX !== undefined,
  browser: (folder) =>
    new PuppeteerBrowser(folder, {
      browser: 'firefox',
      executablePath: FIREFOX ?? '',
      extraPrefsFirefox: { 'intl.accept_languages': 'en-US, en', 'ui.prefersReducedMotion': 1 },
    }),
}

const webkit: Engine = {
  name: 'WebKitGTK',
  isInstalled: isWebKitInstalled,
  browser: (folder) => new WebKitBrowser(folder),
}

/** The engines of Chrome and Edge, of Firefox, and of Safari. */
export const engines: readonly Engine[] = [CHROMIUM, firefox, webkit]
