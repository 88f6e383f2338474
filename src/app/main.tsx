import '#app/api/zod-jitless.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchNetwork } from '#app/api/network.ts'
import { queryClient } from '#app/api/query-client.ts'
import { loadErrorWords, startWords } from '#app/i18n/i18n.ts'
import { startSession } from '#app/session/session.ts'
import { ErrorBoundary } from '#app/shell/error-screen.tsx'
import { watchInstall } from '#app/shell/install.ts'
import { reloadOnceForLostChunks } from '#app/shell/lost-chunks.ts'
import { ToastHost } from '#app/ui/toast-host.tsx'
import { watchNavigation } from '#app/ui/use-arrival.ts'
import { preloadScreen, Routes } from './routes.tsx'

async function start(): Promise<void> {
  reloadOnceForLostChunks()
  watchInstall()
  watchNavigation()
  const words = startWords()
  const screen = preloadScreen(location.pathname)
  watchNetwork()
  await Promise.all([words, startSession(), screen])

  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ErrorBoundary>
          <Routes />
        </ErrorBoundary>
        <ToastHost />
      </QueryClientProvider>
    </StrictMode>,
  )
  // Not needed to paint, so not waited for
  void loadErrorWords()
  const [{ startOffline }, { startWorker }] = await Promise.all([import('#app/offline/start.ts'), import('#app/shell/worker.ts')])
  startOffline()
  startWorker()
}

void start()
