/** Draws the screen of the URL; `contract/screens.ts` is the list of them. SHELL-1 */
import { Suspense, use } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { Route, useLocation } from 'wouter'
import { STORED_DATA_TIMEOUT_MS } from '#app/constants.ts'
import { delay } from '#app/delay.ts'
import { loadAreas } from '#app/i18n/i18n.ts'
import { ErrorBoundary } from '#app/shell/error-screen.tsx'
import { FocusLayout } from '#app/shell/focus-layout.tsx'
import { Guard } from '#app/shell/guard.tsx'
import { LoadingScreen } from '#app/shell/loading-screen.tsx'
import { NotFound } from '#app/shell/not-found.tsx'
import { orLost } from '#app/lost-part.ts'
import { ScreenVisit } from '#app/ui/browser/use-late-navigate.ts'
import { everyScreen, fileOf, patternOf, type Frame, type Screen } from '#contract/screens.ts'

interface ScreenModule {
  default: ComponentType
  /** starts loading the screen's data before anything is drawn; settles when the first paint need not wait any longer */
  prepare?: (params: Record<string, string | undefined>) => Promise<unknown>
}
const files = import.meta.glob<ScreenModule>('./screens/*/*.screen.tsx')

/** Loads the screen, the words of its area and, where needed, the theme and the query library, all in parallel. */
async function loadScreen(entry: Screen): Promise<ComponentType> {
  const { areas = [], hasMui, hasOwnStore, hasNoQueries } = entry
  const file = fileOf(entry)
  const [area = ''] = file.split('/')
  const load = files[`./screens/${file}.screen.tsx`]
  if (!load) return NotFound
  const [screen, theme, reads] = await Promise.all([
    orLost(load()),
    hasMui && orLost(import('#app/ui/theme.tsx')),
    hasOwnStore || hasNoQueries ? undefined : loadReads(),
    // Loaded here, as words that are still missing would suspend, and React shows what was suspended 300 ms late.
    loadAreas(hasOwnStore ? [area] : [area, ...areas, 'parts']),
  ])
  const themed = theme ? within(theme.Theme, screen.default) : screen.default
  return reads ? within(reads, themed) : themed
}

type Surrounding = ComponentType<{ children: ReactNode }>

function within<Props extends object>(Outer: Surrounding, Inner: ComponentType<Props>): ComponentType<Props> {
  return (props) => (
    <Outer>
      <Inner {...props} />
    </Outer>
  )
}

async function loadReads(): Promise<Surrounding> {
  const { ReadsProvider, queriesRestored } = await orLost(import('#app/api/reads-provider.tsx'))
  await queriesRestored()
  return ReadsProvider
}

const frames: Record<Frame, () => Promise<Surrounding>> = {
  public: () => orLost(import('#app/shell/public-layout.tsx')).then(({ PublicLayout }) => PublicLayout),
  shell: () => framed(orLost(import('#app/shell/shell.tsx')).then(({ Shell }) => Shell)),
  // The questionnaire's frame is part of the entry, as the questionnaire must appear first.
  focus: () => Promise.resolve(FocusLayout),
}

async function framed(layout: Promise<Surrounding>): Promise<Surrounding> {
  const [Layout, reads] = await Promise.all([layout, loadReads()])
  return within(reads, Layout)
}

const FAILURE_REMEMBERED_MS = 5000

/** Loads each key once; a failed load may be tried again. The promise carries `status` and `value`, so that React's `use` need not suspend. */
function once<Key, T>(load: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const begun = new Map<Key, Promise<T>>()
  return (key) => {
    const known = begun.get(key)
    if (known) return known
    const promise = load(key)
    begun.set(key, promise)
    promise.then(
      (value) => Object.assign(promise, { status: 'fulfilled', value }),
      // React renders again at once and must find the failure, not a new attempt
      () => setTimeout(() => begun.delete(key), FAILURE_REMEMBERED_MS),
    )
    return promise
  }
}

const screenOf = once(loadScreen)
const frameOf = once((frame: Frame) => frames[frame]())

const patterns = everyScreen.map(patternOf)

function entryOf(path: string): Screen | undefined {
  return everyScreen[patterns.findIndex((pattern) => pattern.test(path))]
}

/** Loads what a URL shows before anything is drawn, so that the screen appears without a skeleton in between. */
export async function preloadScreen(path: string): Promise<void> {
  const entry = entryOf(path)
  // A failure is shown where the screen would be.
  await Promise.allSettled([frameOf(entry?.frame ?? 'public'), entry && screenOf(entry), entry && prepared(entry, path)])
}

/** Drawn in slices, a slow phone can react to a tap meanwhile; the questionnaire is drawn in one piece, as that is faster. */
export function isDrawnInSlices(path: string): boolean {
  return !entryOf(path)?.hasOwnStore
}

/** Waits for the screen's `prepare`, at most STORED_DATA_TIMEOUT_MS: after that the screen shows that it is loading. */
async function prepared(entry: Screen, path: string): Promise<void> {
  const screen = await files[`./screens/${fileOf(entry)}.screen.tsx`]?.()
  if (!screen?.prepare) return
  const names = [...entry.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const values = patternOf(entry).exec(path)?.slice(1) ?? []
  const moment = delay(STORED_DATA_TIMEOUT_MS)
  await Promise.race([screen.prepare(Object.fromEntries(names.map((name, place) => [name, values[place]]))), moment])
}

export function Routes() {
  const [path] = useLocation()
  const entry = entryOf(path)
  return (
    <Suspense fallback={<LoadingScreen />}>
      <Framed frame={entry?.frame ?? 'public'}>
        <ErrorBoundary key={path}>
          <ScreenVisit>
            <Suspense fallback={<LoadingScreen />}>{entry ? <ScreenAt entry={entry} /> : <NotFound />}</Suspense>
          </ScreenVisit>
        </ErrorBoundary>
      </Framed>
    </Suspense>
  )
}

function ScreenAt({ entry }: { entry: Screen }) {
  return <Route path={entry.path} component={use(screenOf(entry))} />
}

function Framed({ frame, children }: { frame: Frame; children: ReactNode }) {
  const Layout = use(frameOf(frame))
  const framed = <Layout>{children}</Layout>
  return frame === 'public' ? framed : <Guard>{framed}</Guard>
}
