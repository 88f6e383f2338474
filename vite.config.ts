import react from '@vitejs/plugin-react'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import { webManifest } from './src/tools/web-manifest.ts'

const api = process.env['DEV_API_URL'] ?? 'http://localhost:3000'

export default defineConfig({
  plugins: [
    react(),
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
  build: { target: ['chrome111', 'safari16.4', 'firefox115'], sourcemap: false, modulePreload: { polyfill: false } },
  server: { port: 5173, proxy: { '/api': api, '/media': api, '/dev': api } },
  test: { globalSetup: ['tests/support/engines.ts'], include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'], environment: 'node', testTimeout: 30_000, hookTimeout: 60_000 },
})
