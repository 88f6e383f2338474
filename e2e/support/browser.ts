import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

/** As root, and in most containers, there is no sandbox to be had. */
export const NO_SANDBOX = '--no-sandbox'

/**
 * The browser of this machine, else the one that comes from npm: none is ever downloaded. `CHROMIUM_PATH` names another.
 */
export async function launchOptions(): Promise<LaunchOptions> {
  const { path, libraries } = await found()
  return {
    args: [NO_SANDBOX, `--disable-features=${[...UNUSED, ...PLAYWRIGHTS].join(',')}`],
    ...(path === undefined ? {} : { executablePath: path }),
    ...(libraries === undefined ? {} : { env: { ...process.env, LD_LIBRARY_PATH: libraries } }),
  }
}

/** Two pages of the browser's own for its address field, which it would load beside each of ours: half the time of a new window. */
const UNUSED = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** What Playwright switches off, once more: of two such lists a browser reads the last. */
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
  /** undefined: Playwright knows one */
  path: string | undefined
  /** folder of the libraries it brought along */
  libraries?: string | undefined
}

/** The headless shell first, Playwright's own choice too: the same engine without a window around it, at half the cost of a new page. */
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
  const { CHROMIUM_PATH: told, CHROMIUM_LIBRARIES: libraries } = process.env
  if (told) return { path: told, libraries }
  const path = PLACES.find((place) => existsSync(place))
  if (path !== undefined || process.platform !== 'linux') return { path }
  const unpacked = await unpack()
  // the workers inherit it, so it is unpacked once
  process.env['CHROMIUM_PATH'] = unpacked.path
  process.env['CHROMIUM_LIBRARIES'] = unpacked.libraries
  return unpacked
}

async function unpack() {
  const before = { ...process.env }
  // else it leaves its libraries packed
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x'
  delete process.env['LD_LIBRARY_PATH']
  const { default: packed } = await import('@sparticuz/chromium')
  const path = await packed.executablePath()
  const libraries = process.env['LD_LIBRARY_PATH'] ?? ''
  process.env = before
  return { path, libraries }
}
