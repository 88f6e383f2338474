import '#app/api/zod-jitless.ts'
import '#app/api/older-browsers.ts'
import { startTransition, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { watchNetwork } from '#app/api/network.ts'
import { WORKER_AT_LATEST_MS } from '#app/constants.ts'
import { loadErrorWords, startWords, watchLanguageInOtherTabs } from '#app/i18n/i18n.ts'
import { pendingClearings } from '#app/session/pending-clearing.ts'
import { session, startSession, watchSessionInOtherTabs } from '#app/session/session.ts'
import { ErrorBoundary } from '#app/shell/error-screen.tsx'
import { watchInstall } from '#app/parts/install.ts'
import { loadWithRetry, reloadOnceForLostChunks } from '#app/shell/lost-chunks.ts'
import { afterPaint, nextTask, whenIdle } from '#app/ui/after-paint.ts'
import { ToastHost } from '#app/ui/toast-host.tsx'
import { watchNavigation } from '#app/ui/use-focus-on-arrival.ts'
import { isDrawnInSlices, preloadScreen, Routes } from './routes.tsx'

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
  const draw = isDrawnInSlices(location.pathname) ? startTransition : (run: () => void) => run()
  draw(() =>
    createRoot(root).render(
      <>
        <StrictMode>
          <ErrorBoundary>
            <Routes />
          </ErrorBoundary>
          <ToastHost />
        </StrictMode>
        <WhenDrawn />
      </>,
    ),
  )
}

/** Beside the screen, where strict development calls no effect twice. */
function WhenDrawn() {
  // Wait two frames: the first callback runs before the frame is presented, and its requests must not compete with ours.
  useEffect(() => afterPaint(() => afterPaint(() => void startTheRest())), [])
  return null
}

/** What the first paint does not need. */
async function startTheRest(): Promise<void> {
  await new Promise<void>(whenIdle)
  watchNetwork()
  watchLanguageInOtherTabs()
  watchSessionInOtherTabs()
  void loadErrorWords()
  const device = signedIn().then(startDevice)
  // A hundred files, on a line and a processor that the device's own answers need first; a guest has none.
  if (session.get().status !== 'guest') await Promise.race([device, new Promise((resolve) => setTimeout(resolve, WORKER_AT_LATEST_MS))])
  const { startWorker } = await loadWithRetry(() => import('#app/shell/worker.ts'))
  whenIdle(startWorker)
}

async function startDevice(): Promise<void> {
  const { startOffline } = await loadWithRetry(() => import('#app/device/start.ts'))
  startOffline()
}

/** Guests keep nothing on this device, but somebody may have left what is still to be removed. */
function signedIn(): Promise<void> {
  return new Promise((resolve) => {
    if (session.get().status !== 'guest' || pendingClearings().length > 0) return resolve()
    const stop = session.subscribe(() => {
      if (session.get().status === 'guest') return
      stop()
      resolve()
    })
  })
}

void start()
