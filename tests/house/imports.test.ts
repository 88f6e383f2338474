import { describe, expect, it } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import { filesBelow, importsOf, parse } from './source-files.ts'

/** What each folder may import (docs/architecture.md). The compiler checks it between TypeScript projects, this test everywhere. */

const source = [...filesBelow('src', /\.tsx?$/), ...filesBelow('sw', /\.ts$/)]

/** Inside app, from what may be imported by all to what imports all: a file may import its own layer and those before. */
const appLayers = [
  [
    'src/app/paths.ts',
    'src/app/constants.ts',
    'src/app/delay.ts',
    'src/app/with-timeout.ts',
    'src/app/early-start.ts',
    'src/app/lost-part.ts',
    'src/app/was-reloaded.ts',
    'src/app/device-clock.ts',
  ],
  ['src/app/i18n/'],
  ['src/app/ui/'],
  ['src/app/api/'],
  ['src/app/session/'],
  ['src/app/sync/'],
  ['src/app/device/'],
  ['src/app/questionnaire/'],
  ['src/app/parts/'],
  ['src/app/screens/', 'src/app/shell/'],
  ['src/app/routes.tsx', 'src/app/start-page.ts'],
  ['src/app/main.tsx', 'src/app/first-questions.ts'],
]

/** Inside server, in the same order: a folder imports those before it, types included. */
const serverLayers = [
  'words',
  'content',
  'outside',
  'metrics',
  'large-packages.ts',
  'env-variables.ts',
  'demo-prices.ts',
  'signing-keys.ts',
  'local-address.ts',
  'error-code.ts',
  'listen-reason.ts',
  'exists.ts',
  'database-address.ts',
  'env-problems.ts',
  'authorities.ts',
  'misspelt-settings.ts',
  'env.ts',
  'make-folder.ts',
  'data-folder.ts',
  'new-file.ts',
  'keys.ts',
  'has-cause.ts',
  'try-each.ts',
  'disk-full.ts',
  'free-bytes.ts',
  'db',
  'services.ts',
  'limits',
  'ledger',
  'job-engine',
  'mailer',
  'deps.ts',
  'http',
  'tracing',
  'health',
  'backups',
  'settings',
  'sports',
  'reference',
  'mails',
  'jobs',
  'hits',
  'audit',
  'report',
  'instances',
  'files',
  'marks',
  'payments',
  'auth',
  'pictures',
  'tokens',
  'assessments',
  'users',
  'app.ts',
  'sweeps.ts',
  'open-storage.ts',
  'open-metrics.ts',
  'start.ts',
  'main.ts',
]

function serverLayerOf(path: string): number {
  return serverLayers.indexOf(path.split('/')[2] ?? '')
}

function layerOf(path: string): number {
  return appLayers.findIndex((places) => places.some((place) => path.startsWith(place)))
}

/** Screens that are composed of other areas: the dashboard, and what is on this device. */
const COMPOSED: Readonly<Record<string, ReadonlySet<string>>> = {
  home: new Set(['player', 'team', 'tokens']),
  device: new Set(['player']),
}

/** The device's store: one door, what its rows are, and what happens to it. The script in the page opens it by its schema. */
const STORE = 'src/app/device/store/'
const STORE_DOOR = new Set(['device-store.ts', 'stored.ts', 'store-events.ts'].map((name) => STORE + name))

const areaOf = (path: string) => /^src\/app\/screens\/([^/]+)\//.exec(path)?.[1]
const subjectOf = (path: string) => /^src\/server\/([^/]+)\//.exec(path)?.[1]
/** Files that make no query: the type of a database, which one a transaction is of, and what its errors mean. */
const NO_QUERY = new Set(['src/server/db/database.ts', 'src/server/db/transactions.ts', 'src/server/db/failures.ts'])
/** What drizzle and the driver leave undone is done there: limits of time, broken connections given back, names of statements. */
const DRIVERS = /^(pg|@electric-sql\/pglite|drizzle-orm\/(node-postgres|pglite)(\/.*)?)$/
const MAY_CONNECT = new Set(['src/server/db/postgres.ts', 'src/server/db/connect.ts', 'src/server/db/open.ts'])
const handlers = new Set(
  everyEndpoint().map(([name]) => `src/server/${name.replace('.', '/').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`),
)

function forbidden(from: string, to: string): string | undefined {
  if (from.startsWith('src/contract/')) {
    if (!to.startsWith('src/contract/') && !to.startsWith('zod')) return 'the contract imports only zod'
  }
  if (from.startsWith('sw/') && (to.startsWith('src/') || to.startsWith('tests/'))) return 'the worker imports nobody'
  if (from.startsWith('src/app/')) {
    if (/^src\/(server|sandbox|tools)\//.test(to)) return 'app and server never meet'
    if (to.startsWith('src/gallery/')) return 'the gallery is no part of the portal'
    if (to.startsWith('node:')) return 'the portal runs in a browser'
    if (from.startsWith('src/app/sync/') && !/^src\/(contract|app\/sync)\//.test(to)) return 'the sync core imports only the contract'
    if (!from.startsWith(STORE) && (to === 'dexie' || (to.startsWith(STORE) && !STORE_DOOR.has(to)))) return 'the store has one door'
    if (to.startsWith('src/app/')) {
      if (layerOf(to) === -1) return 'outside every layer'
      if (layerOf(to) > layerOf(from)) return 'arrows point at what may be imported'
      const [here, there] = [areaOf(from), areaOf(to)]
      if (here !== undefined && to.startsWith('src/app/shell/')) return 'a screen never imports the shell'
      const isComposed = here !== undefined && there !== undefined && COMPOSED[here]?.has(there) === true
      if (here !== undefined && there !== undefined && here !== there && !isComposed) return 'a screen area never imports another area'
    }
  }
  if (from.startsWith('src/gallery/')) {
    if (/^src\/(server|sandbox|tools|boot)\//.test(to)) return 'the gallery shows what the app has'
    if (/^src\/app\/(screens\/.*\.tsx?$|shell|routes|main)/.test(to)) return 'pieces are below the screens'
  }
  if (from.startsWith('src/boot/')) {
    if (/^src\/(server|tools)\//.test(to)) return 'app and server never meet'
    if (/^src\/app\/(ui|parts|screens|shell|routes|main)/.test(to)) return 'it runs before anything is drawn'
    if (!/^(src|locales)\//.test(to)) return 'it stands in the page, without a package'
  }
  if (from.startsWith('src/app/') && to.startsWith('src/boot/')) return 'it runs before the app'
  if (from.startsWith('src/server/')) {
    if (/^src\/(app|tools)\//.test(to)) return 'app and server never meet'
    if (to.startsWith('src/sandbox/')) return 'production has no sandbox'
    if (to.startsWith('src/server/')) {
      if (serverLayerOf(from) === -1 || serverLayerOf(to) === -1) return 'outside every layer'
      if (serverLayerOf(to) > serverLayerOf(from)) return 'a folder of the server imports those below it'
    }
    if (to.startsWith('@opentelemetry/') && !from.startsWith('src/server/tracing/'))
      return 'one folder, loaded only where traces are wanted'
    if (DRIVERS.test(to) && !MAY_CONNECT.has(from)) return 'connections are made and transactions begun in one place'
    const [here, there] = [subjectOf(from), subjectOf(to)]
    const isQuerying = there === 'db' && !NO_QUERY.has(to)
    if (isQuerying && here !== undefined && here !== 'db' && !from.endsWith('store.ts')) return 'only a store imports db'
    if (here !== undefined && handlers.has(to)) return 'nobody calls the handler of a call, only app.ts names it'
  }
  if (from.startsWith('src/operator/')) {
    if (/^src\/(app|sandbox|tools|boot|gallery)\//.test(to)) return 'the operator’s tool runs where only the server is installed'
    if (DRIVERS.test(to)) return 'connections are made and transactions begun in one place'
    if (handlers.has(to)) return 'nobody calls the handler of a call, only app.ts names it'
  }
  if (from.startsWith('src/server/') && to.startsWith('src/operator/')) return 'the server runs without the operator’s tool'
  if (from.startsWith('src/sandbox/')) {
    if (/^src\/(app|tools)\//.test(to)) return 'app and server never meet'
    if (DRIVERS.test(to)) return 'connections are made and transactions begun in one place'
    if (handlers.has(to)) return 'nobody calls the handler of a call, only app.ts names it'
  }
  if (from.startsWith('src/') && /^(tests|e2e)\//.test(to)) return 'the product never imports its tests'
  return undefined
}

/** The first circle found, from a file back to itself; empty where there is none. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  function walk(path: string, way: readonly string[]): string[] {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    if (done.has(path)) return []
    for (const next of imports.get(path) ?? []) {
      const circle = walk(next, [...way, path])
      if (circle.length > 0) return circle
    }
    done.add(path)
    return []
  }
  for (const path of imports.keys()) {
    const circle = walk(path, [])
    if (circle.length > 0) return circle
  }
  return []
}

describe('imports', () => {
  it('no file imports what its folder may not', () => {
    const broken = source.flatMap((from) =>
      importsOf(from).flatMap((to) => {
        const why = forbidden(from, to)
        return why === undefined ? [] : [`${from} → ${to}: ${why}`]
      }),
    )
    expect(broken).toEqual([])
  })

  // lint finds circles of imports and types; this also finds those that close by `import()`
  it('no file imports itself in a circle', () => {
    expect(circleIn(new Map(source.map((path) => [path, importsOf(path)])))).toEqual([])
  })

  it('a planted circle is found, and two paths to one file are no circle', () => {
    const meeting: [string, string[]][] = [
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d']],
      ['d', []],
    ]
    expect(circleIn(new Map(meeting))).toEqual([])
    expect(circleIn(new Map([...meeting, ['d', ['e']], ['e', ['b']]]))).toEqual(['b', 'd', 'e', 'b'])
  })

  it('a planted breach of every rule is found', () => {
    expect(forbidden('src/contract/users.ts', 'src/app/paths.ts')).toBeDefined()
    expect(forbidden('src/app/ui/feedback/toast.ts', 'src/app/api/call.ts')).toBeDefined()
    expect(forbidden('src/app/paths.ts', 'src/app/session/session.ts')).toBeDefined()
    expect(forbidden('src/app/sync/sync.ts', 'src/app/api/call.ts')).toBeDefined()
    expect(forbidden('src/app/device/store/idb.ts', 'src/app/questionnaire/answers.ts')).toBeDefined()
    expect(forbidden('src/app/questionnaire/answers.ts', 'src/app/device/store/idb.ts')).toBeDefined()
    expect(forbidden('src/app/device/status.ts', 'dexie')).toBeDefined()
    expect(forbidden('src/app/screens/home/home.screen.tsx', 'src/app/screens/about/about.screen.tsx')).toBeDefined()
    expect(forbidden('src/boot/begin.ts', 'src/app/shell/shell.tsx')).toBeDefined()
    expect(forbidden('src/boot/begin.ts', 'zod/v4/core')).toBeDefined()
    expect(forbidden('src/app/api/call.ts', 'src/boot/begin.ts')).toBeDefined()
    expect(forbidden('src/app/screens/home/coach-dashboard.tsx', 'src/app/screens/team/team-overview.tsx')).toBeUndefined()
    expect(forbidden('src/app/screens/team/team-overview.tsx', 'src/app/screens/tokens/buy-tokens.tsx')).toBeDefined()
    expect(forbidden('src/app/screens/player/panels.ts', 'src/app/screens/home/home-page.tsx')).toBeDefined()
    expect(forbidden('src/app/main.tsx', 'src/gallery/gallery.tsx')).toBeDefined()
    expect(forbidden('src/gallery/ui/layout/page.tsx', 'src/app/screens/about/about.screen.tsx')).toBeDefined()
    expect(forbidden('src/server/users/get.ts', 'src/server/db/schema/users.ts')).toBeDefined()
    expect(forbidden('src/server/http/router.ts', 'src/server/db/schema/first-replies.ts')).toBeDefined()
    expect(forbidden('src/server/users/get.ts', 'src/server/instances/save-responses.ts')).toBeDefined()
    expect(forbidden('src/server/users/get.ts', 'src/app/paths.ts')).toBeDefined()
    expect(forbidden('src/server/limits/limits.ts', 'src/server/deps.ts')).toBeDefined()
    expect(forbidden('src/server/instances/reclaim.ts', 'src/server/tokens/present.ts')).toBeDefined()
    expect(forbidden('src/server/attic/attic.ts', 'src/server/env.ts')).toBeDefined()
    expect(forbidden('src/server/start.ts', 'src/sandbox/open-sandbox.ts')).toBeDefined()
    expect(forbidden('src/sandbox/open-sandbox.ts', 'src/app/paths.ts')).toBeDefined()
    expect(forbidden('src/operator/calls.ts', 'src/sandbox/open-sandbox.ts')).toBeDefined()
    expect(forbidden('src/operator/backup/backup.ts', 'pg')).toBeDefined()
    expect(forbidden('src/server/start.ts', 'src/operator/program.ts')).toBeDefined()
    expect(forbidden('sw/sw.ts', 'src/contract/api.ts')).toBeDefined()
    expect(forbidden('src/server/users/store.ts', 'pg')).toBeDefined()
    expect(forbidden('src/server/app.ts', '@opentelemetry/api')).toBeDefined()
    expect(forbidden('src/server/db/seed.ts', 'drizzle-orm/node-postgres')).toBeDefined()
  })

  it('import() stands where chunks are cut, and nowhere else', () => {
    const dynamic = source.filter((path) => path.startsWith('src/app/') && parse(path).module.dynamicImports.length > 0)
    // on-demand.ts: dialogs and toasts come up over any screen, and most visits see neither; device: decision 0015;
    // home.screen.tsx: one URL, and what a coach sees there no player loads; sending/on-demand.ts: so it is here, by trouble;
    // parts/install: only after a saved section; auth/on-demand.ts: so it is here, for few guests;
    // questionnaire and session: calls, which need zod (decision 0070)
    expect(dynamic).toEqual([
      'src/app/device/lazy-reads.ts',
      'src/app/device/lazy.ts',
      'src/app/device/store/load-dexie.ts',
      'src/app/main.tsx',
      'src/app/parts/install/on-demand.ts',
      'src/app/questionnaire/lazy.ts',
      'src/app/routes.tsx',
      'src/app/screens/assessment/sending/on-demand.ts',
      'src/app/screens/auth/on-demand.ts',
      'src/app/screens/home/home.screen.tsx',
      'src/app/session/lazy.ts',
      'src/app/ui/browser/on-demand.ts',
    ])
  })
})

it('what makes traces is loaded by import() alone', () => {
  const loading = source.filter((path) =>
    parse(path).module.staticImports.some(({ moduleRequest: { value } }) => value.includes('/tracing/')),
  )
  expect(loading).toEqual([])
  expect(importsOf('src/server/start.ts')).toContain('src/server/tracing/tracing.ts')
})

describe('names', () => {
  it('files are kebab-case, and none has a catch-all name', () => {
    const odd = source.filter((path) => {
      const name = path.split('/').at(-1) ?? ''
      return (
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.(screen|dialog|form|section|config|coach|operator))?\.(ts|tsx)$/.test(name) ||
        /^(utils?|helpers?|common|misc|types|index)\./.test(name)
      )
    })
    expect(odd).toEqual([])
  })

  it('a screen exports a component by the name of a screen', () => {
    const screens = source.filter((path) => path.endsWith('.screen.tsx'))
    const nameOf = (path: string) => {
      const exported = parse(path).module.staticExports.flatMap(({ entries }) => entries)
      return exported.find(({ exportName }) => exportName.kind === 'Default')?.localName.name
    }
    expect(screens.filter((path) => !/^[A-Z]\w+Screen$/.test(nameOf(path) ?? ''))).toEqual([])
  })
})
