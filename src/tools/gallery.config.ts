import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The build of /dev/gallery (src/gallery): apart from the portal's, which it leaves as it is. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  base: '/dev/gallery/',
  publicDir: false,
  plugins: [react()],
  // else it says that pieces fetched on demand are in the first file here
  logLevel: 'error',
  build: {
    outDir: '.cache/gallery',
    emptyOutDir: true,
    // the policy of its pages refuses data: addresses of styles and scripts
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'src/gallery/gallery.html' },
  },
})
