import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { launchOptions } from './support/browser.ts'

/** `npm run test:e2e`: all journeys in a real browser against the product, one server process per worker. */

if (!existsSync(fileURLToPath(new URL('../dist/sw.js', import.meta.url)))) throw new Error('The portal is not built: npm run build')

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  globalSetup: './support/seed.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 3,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 90_000,
  expect: { timeout: 15_000 },
  // .ci/run reads the counts from it
  reporter: [['list'], ['json', { outputFile: '../.cache/reports/e2e.json' }], ['./support/engines/missing-reporter.ts']],
  // the retry shows whether the machine was only busy: the report calls such a journey flaky
  retries: process.env['CI'] ? 2 : 0,
  use: {
    browserName: 'chromium',
    launchOptions: await launchOptions(),
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 15_000,
    screenshot: 'only-on-failure',
    // for Playwright's trace viewer; recorded only on the retry, as it costs time
    trace: 'on-first-retry',
  },
})
