import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The build of /dev/gallery (src/gallery), separate from the portal's, so that it cannot change that. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  base: '/dev/gallery/',
  publicDir: false,
  plugins: [react()],
  // hides warnings that modules which the portal loads on demand are in the first file here
  logLevel: 'error',
  build: {
    outDir: '.cache/gallery',
    emptyOutDir: true,
    // the content security policy of its page forbids data: URLs for styles and scripts
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'src/gallery/gallery.html' },
  },
})
