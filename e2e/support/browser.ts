import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'
import { packedBrowser } from '#tools/packed-browser.ts'

/** The sandbox is not available to root, nor in most containers. */
export const NO_SANDBOX = '--no-sandbox'

/**
 * The browser of this machine, else one from npm, which the first journey installs; none is downloaded from elsewhere. `CHROMIUM_PATH` names another.
 */
export async function launchOptions(): Promise<LaunchOptions> {
  const { path, libraries } = await found()
  return {
    args: [NO_SANDBOX, `--disable-features=${[...UNUSED, ...PLAYWRIGHTS].join(',')}`],
    ...(path === undefined ? {} : { executablePath: path }),
    ...(libraries === undefined ? {} : { env: { ...process.env, LD_LIBRARY_PATH: libraries } }),
  }
}

/** Two internal pages for the address bar, which would double the time of opening a window. */
const UNUSED = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** Repeats what Playwright switches off: of two such lists a browser reads only the last. */
const PLAYWRIGHTS = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

interface Found {
  /** undefined: Playwright finds one */
  path: string | undefined
  /** folder of the libraries that came with it */
  libraries?: string | undefined
}

/** The headless shell first, as Playwright prefers: the same engine without windows opens a page in half the time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

async function found(): Promise<Found> {
  const { CHROMIUM_PATH: named, CHROMIUM_LIBRARIES: libraries } = process.env
  if (named) return { path: named, libraries }
  const path = PLACES.find((place) => existsSync(place))
  if (path !== undefined || process.platform !== 'linux') return { path }
  const unpacked = await packedBrowser()
  // the workers inherit it, so it is unpacked once
  process.env['CHROMIUM_PATH'] = unpacked.path
  process.env['CHROMIUM_LIBRARIES'] = unpacked.libraries
  return unpacked
}
