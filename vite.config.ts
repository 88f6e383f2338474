import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import { AROUND_SCRIPT } from './src/boot/build.ts'
import { FALLBACK_LANGUAGE } from './src/contract/languages.ts'
import { OLDEST_BROWSERS } from './src/tools/browser-support.ts'
import { codeSplitting } from './src/tools/chunks.ts'
import { readContentFiles } from './src/tools/content-index.ts'
import { scriptInPage } from './src/tools/script-in-page.ts'
import { otherManifests, webManifest } from './src/tools/web-manifest.ts'

const root = fileURLToPath(new URL('./', import.meta.url))
const api = process.env['DEV_API_URL'] ?? 'http://localhost:3000'

// as old as a phone's browser may be
const target = Object.entries(OLDEST_BROWSERS).map(([browser, version]) => browser + version)

/** The tests for which a database is started. */
const NEEDS_A_SERVER = 'tests/**/*.server.test.ts'
/** What tests install (src/tools/install-apart.ts), with tests of their own. */
const INSTALLED_APART = '**/node_modules/**'
/** The tests that build and run the image of the Dockerfile. */
const NEEDS_THE_IMAGE = 'tests/image/**/*.test.ts'

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    scriptInPage(target),
    otherManifests(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: false,
      manifest: webManifest(FALLBACK_LANGUAGE),
      injectManifest: {
        // of a module a part could be read: it would be a worker that stores nothing
        rollupFormat: 'iife',
        globPatterns: ['**/*.{js,css,html,svg,woff2}', 'icons/*.png'], // the operator's page is no part of the app that people store
        globIgnores: ['media/**', 'sw-remove.js', 'assets/operator*'],
      },
    }),
  ],
  define: command === 'build' ? { 'import.meta.env.CONTENT_FILES': JSON.stringify(JSON.stringify(readContentFiles())) } : {},
  // The package's own entry is the ES5 build behind a wrapper: larger, and its promises are not the browser's.
  resolve: {
    alias: [
      { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
      // what wouter asks for where React has no such hook of its own
      { find: /^use-sync-external-store\/shim\/index\.js$/, replacement: 'react' },
    ],
  },
  build: {
    target,
    sourcemap: false,
    modulePreload: { polyfill: false },
    license: { fileName: 'licences.md' },
    // A style sheet inlined into a script would be a data: URL, which the CSP refuses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // half a kilobyte less before the sign-in
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: { codeSplitting: codeSplitting(root), ...AROUND_SCRIPT },
    },
  },
  server: { port: 5173, proxy: { '/api': api, '/media': api, '/dev': api } },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: ['tests/**/*.test.{ts,tsx}'], exclude: [NEEDS_A_SERVER, NEEDS_THE_IMAGE, INSTALLED_APART] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: [NEEDS_A_SERVER],
          exclude: [INSTALLED_APART],
          globalSetup: ['tests/support/engines.ts'],
          setupFiles: ['tests/support/usual-umask.ts', 'tests/support/no-listener-warnings.ts'],
          // half of their time they wait, for a database or a deadline; loading the server for each file again would cost a quarter more
          maxWorkers: 4,
          isolate: false,
          // `npm run test:unit`: those that need no server first
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'image', include: [NEEDS_THE_IMAGE], testTimeout: 120_000, hookTimeout: 1_200_000 } },
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
