/** URL → screen. The file of a screen is its URL (README): first segment = folder, the rest joined by `-`. §2 */
import { lazy, Suspense } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { Route, useLocation } from 'wouter'
import { i18n } from '#app/i18n/i18n.ts'
import { ErrorBoundary } from '#app/shell/error-screen.tsx'
import { FocusLayout } from '#app/shell/focus-layout.tsx'
import { Guard } from '#app/shell/guard.tsx'
import { NotFound } from '#app/shell/not-found.tsx'
import { PublicLayout } from '#app/shell/public-layout.tsx'
import { Shell } from '#app/shell/shell.tsx'
import { PageSkeleton } from '#app/ui/skeletons.tsx'

/** Around the screen: nothing but the brand · the same for signed-in people · the sidebar. */
type Frame = 'public' | 'focus' | 'shell'

interface Entry {
  path: string
  file: string
  frame: Frame
  /** needs no MUI, so it does not wait for it */
  isLight?: true
}

/** First match wins. */
export const table: readonly Entry[] = [
  { path: '/auth/login', file: 'auth/login', frame: 'public', isLight: true },
  { path: '/auth/otp', file: 'auth/otp', frame: 'public', isLight: true },
  { path: '/auth/onboard', file: 'auth/onboard', frame: 'public' },

  { path: '/', file: 'home/home', frame: 'shell' },
  { path: '/profile', file: 'profile/profile', frame: 'shell' },
  { path: '/about', file: 'about/about', frame: 'shell' },

  { path: '/checkout/coach/confirm-details', file: 'checkout/coach-confirm-details', frame: 'focus' },
  { path: '/checkout/purchase-token', file: 'checkout/purchase-token', frame: 'focus' },
  { path: '/checkout/purchase-token/payment', file: 'checkout/purchase-token-payment', frame: 'focus' },
  { path: '/checkout/:assessmentId', file: 'checkout/checkout', frame: 'focus' },
  { path: '/checkout/:assessmentId/payment', file: 'checkout/payment', frame: 'focus' },

  { path: '/assessment/:assessmentInstanceId/confirm-details', file: 'assessment/confirm-details', frame: 'focus' },
  { path: '/assessment/:assessmentInstanceId/brief', file: 'assessment/brief', frame: 'focus' },
  { path: '/assessment/:assessmentInstanceId/test', file: 'assessment/test', frame: 'focus', isLight: true },
  { path: '/assessment/:assessmentInstanceId/results', file: 'assessment/results', frame: 'focus' },

  { path: '/stripe/direct-purchase/return', file: 'stripe/direct-purchase-return', frame: 'focus' },
  { path: '/stripe/token-purchase/return', file: 'stripe/token-purchase-return', frame: 'focus' },
  { path: '/token-purchase/successful', file: 'token-purchase/successful', frame: 'focus' },
]

type ScreenModule = { default: ComponentType }
const files = import.meta.glob<ScreenModule>('./screens/*/*.screen.tsx')

/** The screen, the words of its area and, where it needs it, the theme: all at once, never one after the other. */
async function load({ file, isLight }: Entry): Promise<ScreenModule> {
  const [area = ''] = file.split('/')
  const [screen, theme] = await Promise.all([
    files[`./screens/${file}.screen.tsx`]?.(),
    isLight ? undefined : import('#app/ui/theme.tsx'),
    i18n.loadNamespaces(area),
  ])
  if (!screen) return { default: NotFound }
  if (!theme) return screen
  const Screen = screen.default
  return {
    default: () => (
      <theme.Theme>
        <Screen />
      </theme.Theme>
    ),
  }
}

const loading = new Map<Entry, Promise<ScreenModule>>()

function loadOnce(entry: Entry): Promise<ScreenModule> {
  const begun = loading.get(entry) ?? load(entry)
  loading.set(entry, begun)
  // A chunk that could not be had may be there the next time.
  begun.catch(() => loading.delete(entry))
  return begun
}

const screens = new Map(table.map((entry) => [entry, lazy(() => loadOnce(entry))]))

const patterns = table.map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`))

function entryOf(path: string): Entry | undefined {
  return table[patterns.findIndex((pattern) => pattern.test(path))]
}

/** Begins to load the screen of a URL before anything is drawn. */
export function preloadScreen(path: string): void {
  const entry = entryOf(path)
  if (entry) loadOnce(entry).catch(() => undefined)
}

export function Routes() {
  const [path] = useLocation()
  const entry = entryOf(path)
  const Screen = entry && screens.get(entry)
  return (
    <Framed frame={entry?.frame ?? 'public'}>
      <ErrorBoundary key={path}>
        <Suspense fallback={<PageSkeleton />}>{entry && Screen ? <Route path={entry.path} component={Screen} /> : <NotFound />}</Suspense>
      </ErrorBoundary>
    </Framed>
  )
}

function Framed({ frame, children }: { frame: Frame; children: ReactNode }) {
  if (frame === 'public') return <PublicLayout>{children}</PublicLayout>
  return <Guard>{frame === 'shell' ? <Shell>{children}</Shell> : <FocusLayout>{children}</FocusLayout>}</Guard>
}
