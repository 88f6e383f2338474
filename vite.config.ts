import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { build as buildWithVite, type Plugin, type Rolldown } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import { APP_VERSION, APP_VERSION_HEADER } from './src/contract/constants.ts'
import { OLDEST_BROWSERS } from './src/tools/browser-support.ts'
import type { ContentFiles } from './src/tools/content-files.ts'
import { webManifest } from './src/tools/web-manifest.ts'

const api = process.env['DEV_API_URL'] ?? 'http://localhost:3000'

const ground = /node_modules\/(?:react|react-dom|scheduler|i18next|wouter|regexparam|zod)\/|rolldown\/runtime|\/src\/app\/api\/zod-jitless/

// as old as a phone's browser may be
const target = Object.entries(OLDEST_BROWSERS).map(([browser, version]) => browser + version)

// Not before the sign-in, which does without.
const reads = /node_modules\/@tanstack\/|\/src\/app\/(?:api\/(?:query-|reads-provider|use-call|ask-again))/

const core =
  /\/src\/(?:app\/(?:api\/(?!query-|reads-provider|use-call|ask-again|zod-jitless)|session\/(?!coach-|sign-out)|i18n\/(?:i18n|figures)|ui\/(?:page|brand|icons|breadcrumbs|placeholder-link|button|after-paint|announcer|use-\w+|skeletons|on-demand|toast\.|dialog\.)|shell\/(?:app-update|update-prompt|language-switch|connection-strip|demo-ribbon|shell\.css)|parts\/install\.|paths|constants)|contract\/(?:auth|settings|rules\/profile)\b)/

// What the questionnaire has in common with the other screens: never with them in one chunk, or it would load theirs.
const taking =
  /\/src\/(?:contract\/(?:instances|paging|rules\/(?:questionnaire|statuses|receipt))|app\/offline\/(?:later|sync-events|send-trouble|stored|schema|patience|rows|owner|instances|unwritten(?!-))|app\/screens\/assessment\/finish)\b/

// What keeps and sends answers comes after the first paint, and then all of it: as many small chunks it would be larger.
const device = /\/src\/app\/offline\/(?:start|clear|outbox|send-directly|device-store|status|prepare|results|reads|unwritten-in-tabs)\b/

// Schemas that it needs later than its first question: made where they are loaded, which takes a phone its time.
const calls = /\/src\/contract\/(?:users|reference|assessments)\b/

// What every screen but the questionnaire has: as many small chunks they would wait for each other.
const portal =
  /node_modules\/date-fns\/|\/src\/(?:contract\/rules\/(?:pricing|assessment-name)|app\/(?:parts\/(?:assessment-name|price|use-profile|use-kept|as-of)|session\/(?:coach-onboarding|sign-out)|offline\/use-device-statuses|ui\/confirm\.dialog|shell\/(?:shell\.tsx|drawer|sidebar|sign-out|install-prompt)))\b/

// The words of the frame, and of the parts that most screens have.
const words = (language: string) => new RegExp(`/locales/${language}/(?:shell|ui|parts)\\.json$`)

// Those of the dashboard's rooms come at once, whichever of them is shown.
const dashboardWords = (language: string) => new RegExp(`/locales/${language}/(?:home|player|team|tokens)\\.json$`)

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    beginInThePage(),
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
    globalSetup: ['tests/support/engines.ts'],
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    environment: 'node',
    // unless told, a core is left to vitest itself: half of a machine with two
    maxWorkers: '100%',
    // .ci/run counts what it says
    reporters: ['default', 'json'],
    outputFile: { json: '.cache/reports/unit.json' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
}))

/**
 * What the first paint needs stands in the page (the server puts the hashes into the CSP): the style of the ground, and a
 * script that knows the screen of a deep link before the app has started. It asks for the chunks and the words of that URL
 * while the entry is still on its way, instead of one round trip after the other.
 */
function beginInThePage(): Plugin[] {
  const styles: string[] = []
  return [
    {
      name: 'touchline:style-in-the-page',
      apply: 'build',
      // before Vite writes links to it into the page, and its name into the chunks that wait for it
      enforce: 'pre',
      generateBundle(_, bundle) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        const entry = chunks.find(({ isEntry }) => isEntry)
        for (const one of chunks) {
          if (one !== entry && !entry?.imports.includes(one.fileName)) continue
          for (const name of one.viteMetadata?.importedCss ?? []) {
            const sheet = bundle[name]
            if (sheet?.type === 'asset') styles.push(String(sheet.source).trim())
            // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
            delete bundle[name]
          }
          one.viteMetadata?.importedCss.clear()
        }
      },
    },
    {
      name: 'touchline:begin-in-the-page',
      apply: 'build',
      enforce: 'post',
      async generateBundle(_, bundle) {
        const html = bundle['index.html']
        if (html?.type !== 'asset') return
        const script = await bootScript(bundle)
        const style = styles.join('')
        if (script.includes('</script') || style.includes('</style')) throw new Error('what stands in the page would end its own tag')
        // Vite's own tags would ask for the entry and what it imports once: the script in the page does until they are there.
        const asked = /^ *<(?:script type="module" crossorigin src|link rel="modulepreload" crossorigin href)="[^"]+">.*\n/gm
        if (!asked.test(String(html.source))) throw new Error('the entry was not found in the page that Vite wrote')
        html.source = String(html.source)
          .replaceAll(asked, '')
          .replace('</head>', () => `  <script>${script}</script>\n    <style>${style}</style>\n  </head>`)
      },
    },
  ]
}

async function bootScript(bundle: Rolldown.OutputBundle): Promise<string> {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const holding = (file: string) => chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(file)))
  const named = (name: string) => chunks.find(({ fileName }) => fileName === name)
  /** A chunk after what it imports: so they are asked for, and so they run. */
  const needs = (chunk: Rolldown.OutputChunk | undefined, begun = new Set<string>()): string[] => {
    if (!chunk || begun.has(chunk.fileName)) return []
    begun.add(chunk.fileName)
    const imported = chunk.imports.flatMap((one) => needs(named(one), begun))
    return [...imported, ...(chunk.viteMetadata?.importedCss ?? []), chunk.fileName]
  }
  const entry = holding('/index.html') ?? chunks.find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('the build has no entry')
  const atStart = needs(entry)
  const files = [...atStart]
  const indexed = (names: readonly string[]) =>
    [...new Set(names)]
      .filter((name) => !atStart.includes(name))
      .map((name) => (files.includes(name) ? files.indexOf(name) : files.push(name) - 1))
  const wordsOf = (...areas: string[]) =>
    ['en', 'fr'].map((language) => areas.flatMap((area) => indexed(needs(holding(`/locales/${language}/${area}.json`)))))

  // The rest is reached from these, and then its chunks are named by the app itself.
  const isEntered = ({ path }: { path: string }) => path === '/' || /^\/(?:auth|assessment)\//.test(path)
  const routes = readRoutes()
    .filter(isEntered)
    .map(({ path, file, frame, hasMui, own, hasNoReads }) => [
      `^${path.replace(/:\w+/g, '([^/]+)')}/?$`,
      indexed([
        ...needs(holding(`/screens/${file}.screen.tsx`)),
        ...(hasMui ? needs(holding('/ui/theme.tsx')) : []),
        ...needs(holding(frame)),
        ...(own === undefined && !hasNoReads ? needs(holding('/api/reads-provider.tsx')) : []),
      ]),
      wordsOf(file.split('/')[0] ?? '', ...(own === undefined ? ['parts'] : [])),
      own,
    ])
  const headers = { accept: 'application/json', [APP_VERSION_HEADER]: String(APP_VERSION) }
  const api = `${(process.env['VITE_API_URL'] || '/api').replace(/\/+$/, '')}/`
  const content = readContentFiles()
  const media = `${(process.env['VITE_MEDIA_URL'] || '/media').replace(/\/+$/, '')}/content/`
  const questions = Object.fromEntries(
    Object.entries(content.files[content.current] ?? {}).map(([language, file]) => [language, media + file]),
  )
  const common = ['shell', 'ui'].map((area) => wordsOf(area))
  const build = {
    files,
    start: atStart.length,
    common,
    routes,
    api,
    headers,
    questions,
  }
  return built('src/app/boot/begin.ts', { BUILD: JSON.stringify(build) })
}

/** One script of its own, as small as it goes. */
async function built(input: string, define: Record<string, string>): Promise<string> {
  const made = await buildWithVite({
    configFile: false,
    logLevel: 'error',
    define,
    publicDir: false,
    build: { target, write: false, modulePreload: false, rolldownOptions: { input, output: { format: 'iife' } } },
  })
  const [output] = Array.isArray(made) ? made : [made]
  const chunk = output && 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error(`${input} was not built`)
  return chunk.code.trim()
}

/** The one table of URLs, read as text: it lives in a module that only a browser can run. */
function readRoutes(): { path: string; file: string; frame: string; hasMui: boolean; own: string | undefined; hasNoReads: boolean }[] {
  const text = readFileSync('src/app/routes.tsx', 'utf8')
  const rows = [...text.matchAll(/\{\s*path: '([^']+)',\s*file: '([^']+)',\s*frame: '(\w+)'([^}]*)\}/g)]
  // one that is written otherwise would be asked for a round trip later, and nobody would notice
  if (rows.length !== text.split(" path: '").length - 1) throw new Error('src/app/routes.tsx has a URL that the build cannot read')
  const layouts: Record<string, string> = {
    public: '/shell/public-layout.tsx',
    shell: '/shell/shell.tsx',
    focus: '/shell/focus-layout.tsx',
  }
  return rows.map(([, path = '', file = '', frame = '', rest = '']) => ({
    path,
    file,
    frame: layouts[frame] ?? '',
    hasMui: rest.includes('hasMui: true'),
    own: /own: '([^']+)'/.exec(rest)?.[1],
    hasNoReads: rest.includes('hasNoReads: true'),
  }))
}

/** Written by src/tools/content-files.ts before the build. */
function readContentFiles(): ContentFiles {
  return JSON.parse(readFileSync('.cache/content-files.json', 'utf8')) as ContentFiles // its own form
}
