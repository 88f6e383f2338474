import { build as buildWithVite, type Plugin, type Rolldown } from 'vite'
import { LAST_RULE, type Build, type BuiltScreen } from '#boot/build.ts'
import { APP_VERSION, APP_VERSION_HEADER } from '#contract/constants.ts'
import { byLanguage, LANGUAGES } from '#contract/languages.ts'
import { everyScreen, fileOf, patternOf, type Frame, type Screen } from '#contract/screens.ts'
import { readContentFiles } from './content-index.ts'

/** The layout component of each frame. */
const LAYOUTS: Record<Frame, string> = {
  public: '/shell/public-layout.tsx',
  shell: '/shell/shell.tsx',
  focus: '/shell/focus-layout.tsx',
}

/** What shows the first questions before the app has loaded. */
const FIRST = 'src/app/first-questions.ts'
/** Makes calls and reads their replies: needed only for questions that are not on the device yet. */
const FETCHES = 'src/app/device/fetch-instance.ts'
const FIRST_TEXTS = ['assessment', 'shell', 'ui']

const isMain = ({ facadeModuleId, isEntry }: Rolldown.OutputChunk) => isEntry && facadeModuleId?.endsWith('/index.html') === true

/** Screens at which people enter the portal. All others are reached from these, and the running app loads their chunks. */
const isEntrance = ({ path }: Screen) => path === '/' || /^\/(?:auth|assessment)\//.test(path)

/**
 * Puts into the page a script that knows which screen the URL is for before the app has started. It requests the base styles, and the
 * chunks and texts of that screen together with the entry, instead of one round trip after the other. Another requests a page that was
 * cut before that again. The server adds the hashes of both, and of the style in index.html, to the CSP.
 */
export function scriptInPage(target: string[]): Plugin[] {
  let base = ''
  return [
    {
      name: 'touchline:base-styles',
      apply: 'build',
      // before Vite links the style sheets in the page and names them in the chunks that wait for them
      enforce: 'pre',
      config: () => ({ build: { rolldownOptions: { input: { index: 'index.html', first: FIRST } } } }),
      generateBundle(_, bundle) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        const entry = chunks.find(isMain)
        const styles: string[] = []
        for (const one of chunks) {
          if (one !== entry && !entry?.imports.includes(one.fileName)) continue
          for (const name of one.viteMetadata?.importedCss ?? []) {
            const sheet = bundle[name]
            if (sheet?.type === 'asset') styles.push(String(sheet.source).trim())
            delete bundle[name]
          }
          one.viteMetadata?.importedCss.clear()
        }
        // one file, as the script in the page retries it until it has loaded, and puts it before the style sheets of the screens
        base = this.getFileName(this.emitFile({ type: 'asset', name: 'base.css', source: styles.join('') + LAST_RULE }))
        for (const [name, sheet] of Object.entries(bundle)) {
          if (sheet.type !== 'asset' || !name.endsWith('.css') || name === base) continue
          // emitted again, as another end needs another name: browsers keep what is under a name
          const emitted = this.emitFile({ type: 'asset', name: sheet.names[0] ?? name, source: String(sheet.source).trim() + LAST_RULE })
          delete bundle[name]
          for (const { viteMetadata } of chunks)
            if (viteMetadata?.importedCss.has(name)) {
              viteMetadata.importedCss = new Set(
                [...viteMetadata.importedCss].map((one) => (one === name ? this.getFileName(emitted) : one)),
              )
            }
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
        const script = await bootScript(bundle, base, target)
        const reload = await scriptOf('src/boot/reload-cut-page.ts', target)
        if ((script + reload).includes('</script')) throw new Error('a script in the page contains its own end tag')
        // Vite's own tags would try once to load the entry and its imports; the script in the page retries until they are loaded.
        const entryTags = /^ *<(?:script type="module" crossorigin src|link rel="modulepreload" crossorigin href)="[^"]+">.*\n/gm
        if (!entryTags.test(String(html.source))) throw new Error('the page written by Vite does not load the entry')
        html.source = String(html.source)
          .replaceAll(entryTags, '')
          .replace('<title>', (title) => `<script>${reload}</script>\n    ${title}`)
          // last: it starts what needs the elements of the page, also in a page that was cut after it
          .replace('</body>', () => `  <script>${script}</script>\n  </body>`)
      },
    },
  ]
}

async function bootScript(bundle: Rolldown.OutputBundle, base: string, target: string[]): Promise<string> {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const holding = (file: string) => chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(file)))
  const named = (name: string) => chunks.find(({ fileName }) => fileName === name)
  /** Each chunk after its imports, which is the order in which they are requested and run. */
  const needs = (chunk: Rolldown.OutputChunk | undefined, begun = new Set<string>()): string[] => {
    if (!chunk || begun.has(chunk.fileName)) return []
    begun.add(chunk.fileName)
    const imported = chunk.imports.flatMap((one) => needs(named(one), begun))
    return [...imported, ...(chunk.viteMetadata?.importedCss ?? []), chunk.fileName]
  }
  const entry = chunks.find(isMain)
  if (!entry) throw new Error('the build has no entry')
  const atStart = [base, ...needs(entry)]
  const files = [...atStart]
  const placeOf = (name: string) => (files.includes(name) ? files.indexOf(name) : files.push(name) - 1)
  const indexed = (names: readonly string[]) => [...new Set(names)].filter((name) => !atStart.includes(name)).map(placeOf)
  const wordsOf = (...areas: string[]) =>
    byLanguage((language) => areas.flatMap((area) => indexed(needs(holding(`/locales/${language}/${area}.json`)))))

  // also what their texts import, which would otherwise come with the rest
  const texts = LANGUAGES.flatMap((language) => FIRST_TEXTS.flatMap((area) => needs(holding(`/locales/${language}/${area}.json`))))
  const shown = [...new Set([base, ...texts.filter((name) => atStart.includes(name)), ...needs(holding(FIRST))])]
  const calls = needs(holding(FETCHES)).filter((name) => !shown.includes(name))
  const first = [...shown.slice(0, -1), ...calls, ...shown.slice(-1)]
  const refuse = (names: readonly string[], unwanted: RegExp) => {
    for (const name of names) {
      const [, found] = named(name)?.moduleIds.flatMap((id) => unwanted.exec(id) ?? []) ?? []
      if (found !== undefined) throw new Error(`${name}, which the first questions wait for, contains ${found}: see src/tools/chunks.ts`)
    }
  }
  refuse(first, /\/node_modules\/(react|react-dom|i18next)\//)
  // of a stored question, which needs no call
  refuse(shown, /\/node_modules\/(zod)\//)

  const built: BuiltScreen[] = everyScreen.filter(isEntrance).map((screen) => {
    const file = fileOf(screen)
    const { areas = [], hasMui, hasNoQueries, hasOwnStore, prefetch = [], prefetchFor } = screen
    return {
      pattern: patternOf(screen).source,
      chunks: indexed([
        ...needs(holding(`/screens/${file}.screen.tsx`)),
        ...(hasMui ? needs(holding('/ui/theme.tsx')) : []),
        ...needs(holding(LAYOUTS[screen.frame])),
        ...(hasOwnStore || hasNoQueries ? [] : needs(holding('/api/reads-provider.tsx'))),
      ]),
      ...(hasOwnStore && { first: first.map(placeOf), calls: calls.map(placeOf) }),
      words: wordsOf(file.split('/')[0] ?? '', ...(hasOwnStore ? [] : [...areas, 'parts'])),
      prefetch,
      ...(prefetchFor && { prefetchFor }),
      ...(hasOwnStore && { hasOwnStore }),
    }
  })
  const headers = { accept: 'application/json', [APP_VERSION_HEADER]: String(APP_VERSION) }
  const api = `${(process.env['VITE_API_URL'] || '/api').replace(/\/+$/, '')}/`
  const content = readContentFiles()
  const media = `${(process.env['VITE_MEDIA_URL'] || '/media').replace(/\/+$/, '')}/content/`
  const questions = Object.fromEntries(
    Object.entries(content.files[content.current] ?? {}).map(([language, file]) => [language, media + file]),
  )
  const common = ['shell', 'ui'].map((area) => wordsOf(area))
  const build: Build = { files, start: atStart.length, common, screens: built, api, headers, questions }
  return scriptOf('src/boot/begin.ts', target, { BUILD: JSON.stringify(build) })
}

/** Builds one self-contained script, as small as possible. */
async function scriptOf(input: string, target: string[], define: Record<string, string> = {}): Promise<string> {
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
