import '#app/api/zod-jitless.ts'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchNetwork } from '#app/api/network.ts'
import { loadErrorWords, startWords, watchLanguageInOtherTabs } from '#app/i18n/i18n.ts'
import { session, startSession, watchSessionInOtherTabs } from '#app/session/session.ts'
import { ErrorBoundary } from '#app/shell/error-screen.tsx'
import { watchInstall } from '#app/shell/install.ts'
import { loadInTheEnd, reloadOnceForLostChunks } from '#app/shell/lost-chunks.ts'
import { afterPaint, nextTask, whenIdle } from '#app/ui/after-paint.ts'
import { ToastHost } from '#app/ui/toast-host.tsx'
import { watchNavigation } from '#app/ui/use-arrival.ts'
import { preloadScreen, Routes } from './routes.tsx'

async function start(): Promise<void> {
  reloadOnceForLostChunks()
  watchInstall()
  watchNavigation()
  await nextTask()
  // the person first: whose reads a screen begins is known then
  await Promise.all([startWords(), startSession(), preloadScreen(location.pathname)])

  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  await nextTask()
  // in slices, so that a slow phone can answer a finger while the first screen is made
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ErrorBoundary>
          <Routes />
        </ErrorBoundary>
        <ToastHost />
      </StrictMode>,
    ),
  )
  // the first frame has not reached the glass when its script is done: what it waits for is not made to share the line
  afterPaint(() => afterPaint(() => void startTheRest()))
}

/** What the first paint does not need. */
async function startTheRest(): Promise<void> {
  watchNetwork()
  watchLanguageInOtherTabs()
  watchSessionInOtherTabs()
  await new Promise<void>(whenIdle)
  void loadErrorWords()
  whenSignedIn(() => void loadInTheEnd(() => import('#app/offline/start.ts')).then(({ startOffline }) => startOffline()))
  const { startWorker } = await loadInTheEnd(() => import('#app/shell/worker.ts'))
  startWorker()
}

/** Guests keep nothing on this device. */
function whenSignedIn(run: () => void): void {
  if (session.get().status !== 'guest') return run()
  const stop = session.subscribe(() => {
    if (session.get().status === 'guest') return
    stop()
    run()
  })
}

void start()
