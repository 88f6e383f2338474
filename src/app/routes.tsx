/** URL → screen. The file of a screen is its URL (README): first segment = folder, the rest joined by `-`, params dropped. SHELL-1 */
import { Suspense, use } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { Route, useLocation } from 'wouter'
import { PREPARE_PATIENCE_MS } from '#app/constants.ts'
import { i18n } from '#app/i18n/i18n.ts'
import { ErrorBoundary } from '#app/shell/error-screen.tsx'
import { FocusLayout } from '#app/shell/focus-layout.tsx'
import { Guard } from '#app/shell/guard.tsx'
import { NotFound } from '#app/shell/not-found.tsx'
import { PageSkeleton } from '#app/ui/skeletons.tsx'

/** Around the screen: nothing but the brand · the same for signed-in people · the sidebar. */
type Frame = 'public' | 'focus' | 'shell'

interface Entry {
  path: string
  file: string
  frame: Frame
  /**
   * Has a store of its own, and does without the library of reads, 11 KB less before its first paint. This is what it reads
   * first, as `call` will ask for it: the boot script asks before the app is there. `$1` is the path's parameter.
   */
  own?: string
  /** draws with MUI's components: comes inside the theme, 31 KB more */
  hasMui?: true
  /** does without the library of reads as well */
  hasNoReads?: true
  /** the rooms that the screen is composed of: their words come with its own */
  rooms?: readonly string[]
}

/** First match wins. */
export const table: readonly Entry[] = [
  { path: '/auth/login', file: 'auth/login', frame: 'public', hasNoReads: true },
  { path: '/auth/otp', file: 'auth/otp', frame: 'public', hasNoReads: true },
  { path: '/auth/onboard', file: 'auth/onboard', frame: 'public', hasMui: true },
  { path: '/invitations/stop', file: 'invitations/stop', frame: 'public', hasNoReads: true },

  { path: '/', file: 'home/home', frame: 'shell', rooms: ['player', 'team', 'tokens'] },
  { path: '/profile', file: 'profile/profile', frame: 'shell', hasMui: true },
  { path: '/about', file: 'about/about', frame: 'shell' },

  { path: '/checkout/coach/confirm-details', file: 'checkout/coach-confirm-details', frame: 'focus', hasMui: true },
  { path: '/checkout/purchase-token', file: 'checkout/purchase-token', frame: 'focus' },
  { path: '/checkout/purchase-token/payment', file: 'checkout/purchase-token-payment', frame: 'focus' },
  { path: '/checkout/:assessmentId', file: 'checkout/checkout', frame: 'focus', hasMui: true },
  { path: '/checkout/:assessmentId/payment', file: 'checkout/payment', frame: 'focus' },

  { path: '/assessment/:assessmentInstanceId/confirm-details', file: 'assessment/confirm-details', frame: 'focus', hasMui: true },
  { path: '/assessment/:assessmentInstanceId/brief', file: 'assessment/brief', frame: 'focus' },
  {
    path: '/assessment/:assessmentInstanceId/test',
    file: 'assessment/test',
    frame: 'focus',
    own: 'assessment/assessment-instance/$1?sections=none',
  },
  { path: '/assessment/:assessmentInstanceId/results', file: 'assessment/results', frame: 'focus' },

  { path: '/stripe/direct-purchase/return', file: 'stripe/direct-purchase-return', frame: 'focus' },
  { path: '/stripe/token-purchase/return', file: 'stripe/token-purchase-return', frame: 'focus' },
  { path: '/token-purchase/successful', file: 'token-purchase/successful', frame: 'focus' },
]

interface ScreenModule {
  default: ComponentType
  /** begins to get what the screen will show, before anything is drawn; settles once that needs no more waiting for */
  prepare?: (params: Record<string, string | undefined>) => Promise<unknown>
}
const files = import.meta.glob<ScreenModule>('./screens/*/*.screen.tsx')

/** The screen, the words of its area and, where it needs it, the theme: all at once, never one after the other. */
async function loadScreen({ file, hasMui, own, hasNoReads, rooms = [] }: Entry): Promise<ComponentType> {
  const [area = ''] = file.split('/')
  const [screen, theme, reads] = await Promise.all([
    files[`./screens/${file}.screen.tsx`]?.(),
    hasMui && import('#app/ui/theme.tsx'),
    own === undefined && !hasNoReads ? loadReads() : undefined,
    // Words that are not there yet make React wait, and what waited is shown 300 ms late.
    i18n.loadNamespaces(own === undefined ? [area, ...rooms, 'parts'] : area),
  ])
  if (!screen) return NotFound
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
  const { ReadsProvider, readsAreBack } = await import('#app/api/reads-provider.tsx')
  await readsAreBack()
  return ReadsProvider
}

const frames: Record<Frame, () => Promise<Surrounding>> = {
  public: () => import('#app/shell/public-layout.tsx').then(({ PublicLayout }) => PublicLayout),
  shell: () => framed(import('#app/shell/shell.tsx').then(({ Shell }) => Shell)),
  // The questionnaire's own: first of all to be there.
  focus: () => Promise.resolve(FocusLayout),
}

async function framed(layout: Promise<Surrounding>): Promise<Surrounding> {
  const [Layout, reads] = await Promise.all([layout, loadReads()])
  return within(reads, Layout)
}

const FAILURE_KEPT_MS = 5000

/** Loads each key once; a chunk that could not be had may be there the next time. `use` takes what is loaded without waiting. */
function once<Key, T>(load: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const begun = new Map<Key, Promise<T>>()
  return (key) => {
    const known = begun.get(key)
    if (known) return known
    const promise = load(key)
    begun.set(key, promise)
    promise.then(
      (value) => Object.assign(promise, { status: 'fulfilled', value }),
      // React looks again at once, and must find the failure, not the next attempt
      () => setTimeout(() => begun.delete(key), FAILURE_KEPT_MS),
    )
    return promise
  }
}

const screenOf = once(loadScreen)
const frameOf = once((frame: Frame) => frames[frame]())

const patterns = table.map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`))

function entryOf(path: string): Entry | undefined {
  return table[patterns.findIndex((pattern) => pattern.test(path))]
}

/** Loads what a URL shows before anything is drawn, so that the first paint gives way to the screen and to nothing between. */
export async function preloadScreen(path: string): Promise<void> {
  const entry = entryOf(path)
  // A failure is shown where the screen would be.
  await Promise.allSettled([frameOf(entry?.frame ?? 'public'), entry && screenOf(entry), entry && prepared(entry, path)])
}

/** In slices a slow phone can answer a finger meanwhile; the first question, which is waited for, comes in one piece. */
export function isDrawnInSlices(path: string): boolean {
  return entryOf(path)?.own === undefined
}

/** Not longer than a moment: a screen that has nothing yet can say so. */
async function prepared({ file, path: pattern }: Entry, path: string): Promise<void> {
  const screen = await files[`./screens/${file}.screen.tsx`]?.()
  if (!screen?.prepare) return
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const values = new RegExp(`^${pattern.replace(/:\w+/g, '([^/]+)')}/?$`).exec(path)?.slice(1) ?? []
  const moment = new Promise((resolve) => setTimeout(resolve, PREPARE_PATIENCE_MS))
  await Promise.race([screen.prepare(Object.fromEntries(names.map((name, place) => [name, values[place]]))), moment])
}

export function Routes() {
  const [path] = useLocation()
  const entry = entryOf(path)
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Framed frame={entry?.frame ?? 'public'}>
        <ErrorBoundary key={path}>
          <Suspense fallback={<PageSkeleton />}>{entry ? <ScreenAt entry={entry} /> : <NotFound />}</Suspense>
        </ErrorBoundary>
      </Framed>
    </Suspense>
  )
}

function ScreenAt({ entry }: { entry: Entry }) {
  return <Route path={entry.path} component={use(screenOf(entry))} />
}

function Framed({ frame, children }: { frame: Frame; children: ReactNode }) {
  const Layout = use(frameOf(frame))
  const framed = <Layout>{children}</Layout>
  return frame === 'public' ? framed : <Guard>{framed}</Guard>
}
