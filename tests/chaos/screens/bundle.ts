import { fileURLToPath } from 'node:url'
import { constants, createContext, Script } from 'node:vm'
import type * as PageModule from './page.tsx'
import { build, type Rolldown } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** The portal's code as one script, which evaluates to the exports of page.tsx. Chunks that load on demand are part of it. */
async function bundlePage(): Promise<string> {
  const made = (await build({
    configFile: false,
    root: path('../../../'),
    logLevel: 'error',
    mode: 'production',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: [
        { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
        { find: /^react-dom\/server$/, replacement: 'react-dom/server.browser' },
      ],
    },
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      lib: { entry: path('page.tsx'), formats: ['iife'], name: 'page', fileName: 'page' },
    },
  })) as Rolldown.RolldownOutput[] // as `lib` makes one output for each format
  const script = made[0]?.output.find((file) => file.type === 'chunk' && file.isEntry)
  if (script?.type !== 'chunk') throw new Error('the page was not built')
  return script.code
}

/** What a window has besides the language itself and what the model makes of it. Errors are those of the database beside it. */
const GLOBALS = {
  Error,
  DOMException,
  AbortController,
  URL,
  URLSearchParams,
  TextEncoder,
  TextDecoder,
  atob,
  btoa,
  structuredClone,
  queueMicrotask,
  Buffer: undefined,
}

/** Builds the portal. The function evaluates it once more, in a window of its own with these globals. */
export async function buildPortal(): Promise<(globals: Record<string, unknown>) => typeof PageModule> {
  const script = new Script(`${await bundlePage()}; page`)
  return (globals) => {
    const window = createContext(constants.DONT_CONTEXTIFY) as Record<string, unknown>
    Object.assign(window, GLOBALS, globals, { window, self: window })
    return script.runInContext(window) as typeof PageModule
  }
}
