import '#app/ui/browser/blocked-storages.ts'
import '#app/api/zod-jitless.ts'
import '#app/api/polyfills.ts'
import { startTransition, StrictMode, useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { watchNetwork } from '#app/api/network.ts'
import { invalidateTags } from '#app/api/query-port.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { FIRST_DRAW_TIMEOUT_MS, PART_SLOW_MS, WORKER_AT_LATEST_MS } from '#app/constants.ts'
import { delay } from '#app/delay.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { i18n, loadErrorWords, retryLostWords, startI18n } from '#app/i18n/i18n.ts'
import { leftAccounts } from '#app/session/left-accounts.ts'
import { pendingClearings } from '#app/session/pending-clearing.ts'
import { session, watchSessionInOtherTabs } from '#app/session/session.ts'
import { watchStoredLanguage } from '#app/shell/chosen-language.ts'
import { ErrorBoundary } from '#app/shell/error-screen.tsx'
import { watchInstall } from '#app/parts/install/install.ts'
import { watchArrival } from '#app/lost-part.ts'
import { loadInBackground, loadWithRetry, reloadIfStuck } from '#app/shell/reload-for-lost-parts.ts'
import { afterPaint, nextTask, whenIdle } from '#app/ui/browser/after-paint.ts'
import { ToastHost } from '#app/ui/feedback/toast-host.tsx'
import { onReturn } from '#app/ui/browser/on-return.ts'
import { watchNavigation } from '#app/ui/browser/use-focus-on-arrival.ts'
import { earlyStart } from './early-start.ts'
import { startPage } from './start-page.ts'
import { isDrawnInSlices, preloadScreen, Routes } from './routes.tsx'

async function start(): Promise<void> {
  const started = startPage()
  watchInstall()
  watchNavigation()
  await nextTask()
  // before the screen, whose texts are of the language that this finds
  const texts = startI18n()
  const preloaded = preloadScreen(location.pathname)
  // the questions that are shown without React stay until their screen is there
  const drawable = isDrawnInSlices(location.pathname) ? Promise.race([preloaded, delay(FIRST_DRAW_TIMEOUT_MS)]) : preloaded
  // until then only the page's own script says that it is loading
  let stopReloading = () => {}
  const slow = setTimeout(() => {
    stopReloading = reloadIfStuck()
  }, PART_SLOW_MS)
  // a screen's reads belong to a person, so the session must be known before they begin
  await Promise.all([texts, started, drawable])
  clearTimeout(slow)
  stopReloading()

  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  await nextTask()
  const early = earlyStart() ?? { replies: {} }
  const draw = () => createRoot(root).render(<App />)
  if (early.first) await early.first.replace(() => flushSync(draw))
  else if (isDrawnInSlices(location.pathname)) startTransition(draw)
  else draw()
  early.isDrawn = true
}

function App() {
  return (
    <>
      <StrictMode>
        <ErrorBoundary>
          <Routes />
        </ErrorBoundary>
        <ToastHost />
      </StrictMode>
      <WhenDrawn />
    </>
  )
}

/** Outside StrictMode, which would run the effect twice in development. */
function WhenDrawn() {
  // Wait two frames: the first callback runs before the frame is presented, and its requests must not compete with ours.
  useEffect(() => afterPaint(() => afterPaint(() => void startTheRest())), [])
  return null
}

/** What the first paint does not need. */
async function startTheRest(): Promise<void> {
  await new Promise<void>(whenIdle)
  watchNetwork()
  watchStoredLanguage()
  retryLostWords(loadInBackground)
  watchSessionInOtherTabs()
  onReturn(() => invalidateTags())
  void loadErrorWords()
  const device = until(needsDevice).then(startDevice)
  // The worker fetches a hundred files. Unsent answers need the network and the processor first; a guest has none.
  if (isSignedIn()) await Promise.race([device, delay(WORKER_AT_LATEST_MS)])
  const { startWorker } = await loadWithRetry(() => import('#app/shell/worker.ts'))
  whenIdle(startWorker)
  await until(needsInstallable)
  const { startInstallable } = await loadWithRetry(() => import('#app/shell/installable.ts'))
  whenIdle(startInstallable)
}

async function startDevice(): Promise<void> {
  const { startOffline } = await loadWithRetry(() => watchArrival(import('#app/device/start.ts')))
  startOffline()
}

const isSignedIn = () => session.get().status !== 'guest'

/** Whether somebody is signed in, or data of a former person is being removed here, or may have to be. */
const needsDevice = () => isSignedIn() || pendingClearings().length + leftAccounts().length > 0

/**
 * A guest may install, too, and takes the manifest and the start image of that moment: those of the page are not theirs in another language
 * or in Safari, which alone has `standalone`.
 */
const needsInstallable = () => isSignedIn() || 'standalone' in navigator || currentLanguage() !== LANGUAGES[0]

/** Resolves once it holds, which is checked now and after each change of session or language. */
function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!holds()) return
      stop()
      i18n.off('languageChanged', check)
      resolve()
    }
    const stop = session.subscribe(check)
    i18n.on('languageChanged', check)
    check()
  })
}

void start()
