import react from '@vitejs/plugin-react'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import { OLDEST_BROWSERS } from './src/tools/browser-support.ts'
import { readContentFiles } from './src/tools/content-index.ts'
import { scriptInPage } from './src/tools/script-in-page.ts'
import { webManifest } from './src/tools/web-manifest.ts'

const api = process.env['DEV_API_URL'] ?? 'http://localhost:3000'

const ground = /node_modules\/(?:react|react-dom|scheduler|i18next|wouter|regexparam|zod)\/|rolldown\/runtime|\/src\/app\/api\/zod-jitless/

// as old as a phone's browser may be
const target = Object.entries(OLDEST_BROWSERS).map(([browser, version]) => browser + version)

// Not before the sign-in, which does without.
const reads = /node_modules\/@tanstack\/|\/src\/app\/(?:api\/(?:query-(?!port)|reads-provider|use-call|retry-failed-reads))/

const core =
  /\/src\/(?:app\/(?:api\/(?!query-(?!port)|reads-provider|use-call|retry-failed-reads|zod-jitless)|session\/(?!coach-|sign-out)|i18n\/(?:i18n|figures)|ui\/(?:page|brand|icons|breadcrumbs|placeholder-link|button|after-paint|announcer|use-\w+|skeletons|on-demand|toast\.|dialog\.)|shell\/(?:app-update|update-prompt|language-switch|connection-strip|demo-ribbon|shell\.css)|parts\/install\.|paths|constants)|contract\/(?:auth|settings|rules\/profile)\b)/

// What the questionnaire has in common with the other screens: never with them in one chunk, or it would load theirs.
const taking =
  /\/src\/(?:contract\/(?:instances|paging|rules\/(?:questionnaire|statuses|receipt))|app\/sync\/rows|app\/device\/(?:lazy|owner|fetch-instance|store\/(?:stored(?!-)|schema|database-timeout)|sending\/(?:sync-events|send-trouble|unwritten(?!-)))|app\/questionnaire\/finish)\b/

// What keeps and sends answers comes after the first paint, and then all of it: as many small chunks it would be larger.
const device =
  /\/src\/app\/device\/(?:start|clear|status|store\/(?:device-store|results|stored-replies)|sending\/(?:outbox|send-directly|unwritten-in-tabs)|readiness\/prepare)\b/

// Schemas that it needs later than its first question: made where they are loaded, which takes a phone its time.
const calls = /\/src\/contract\/(?:users|reference|assessments)\b/

// What every screen but the questionnaire has: as many small chunks they would wait for each other.
const portal =
  /node_modules\/date-fns\/|\/src\/(?:contract\/rules\/(?:pricing|assessment-name)|app\/(?:parts\/(?:assessment-name|price|use-profile|use-last-defined|as-of)|session\/(?:coach-onboarding|sign-out)|device\/use-device-statuses|ui\/confirm\.dialog|shell\/(?:shell\.tsx|drawer|sidebar|sign-out|install-prompt)))\b/

// The words of the frame, and of the parts that most screens have.
const words = (language: string) => new RegExp(`/locales/${language}/(?:shell|ui|parts)\\.json$`)

// Those of the dashboard's rooms come at once, whichever of them is shown.
const dashboardWords = (language: string) => new RegExp(`/locales/${language}/(?:home|player|team|tokens)\\.json$`)

/** The tests for which a database is started. */
const NEEDS_A_SERVER = 'tests/**/*.server.test.ts'

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    scriptInPage(target),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: false,
      manifest: webManifest,
      injectManifest: { globPatterns: ['**/*.{js,css,html,svg,woff2}', 'icons/*.png'], globIgnores: ['media/**', 'sw-remove.js'] },
    }),
  ],
  define: command === 'build' ? { 'import.meta.env.CONTENT_FILES': JSON.stringify(JSON.stringify(readContentFiles())) } : {},
  // The package's own entry is the ES5 build behind a wrapper: larger, and its promises are not the browser's.
  resolve: { alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }] },
  build: {
    target,
    sourcemap: false,
    modulePreload: { polyfill: false },
    // A style sheet inlined into a script would be a data: URL, which the CSP refuses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every screen stands on, and what a new version of the app seldom changes. A group takes along what its modules
        // import, unless a group of higher priority has it.
        codeSplitting: {
          groups: [
            { name: 'ground', test: ground, priority: 5 },
            { name: 'core', test: core, priority: 4 },
            { name: 'reads', test: reads, priority: 3 },
            { name: 'taking', test: taking, priority: 2 },
            { name: 'calls', test: calls, priority: 2 },
            { name: 'words-en', test: words('en'), priority: 1 },
            { name: 'words-fr', test: words('fr'), priority: 1 },
            { name: 'home-en', test: dashboardWords('en'), priority: 1 },
            { name: 'home-fr', test: dashboardWords('fr'), priority: 1 },
            { name: 'device', test: device, priority: 1 },
            { name: 'portal', test: portal, priority: 1 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': api, '/media': api, '/dev': api } },
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: ['tests/**/*.test.{ts,tsx}'], exclude: [NEEDS_A_SERVER] } },
      { extends: true, test: { name: 'server', include: [NEEDS_A_SERVER], globalSetup: ['tests/support/engines.ts'] } },
    ],
    // unless told, a core is left to vitest itself: half of a machine with two
    maxWorkers: '100%',
    // .ci/run counts what it says
    reporters: ['default', 'json'],
    outputFile: { json: '.cache/reports/unit.json' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
}))
