import '#app/api/zod-jitless.ts'
import '#app/api/polyfills.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { network } from '#app/api/network.ts'
import { queryClient } from '#app/api/query-client.ts'
import { sessionPort } from '#app/api/session-port.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { i18n, loadAreas, startI18n } from '#app/i18n/i18n.ts'
import { Theme } from '#app/ui/theme.tsx'
import { ToastHost } from '#app/ui/feedback/toast-host.tsx'
import { conditionsOf, cutConnection, forceTheme } from './conditions.ts'
import { Gallery } from './gallery.tsx'
import { SOMEBODY } from './samples.ts'

const AREAS = ['ui', 'parts', 'details', 'home', 'fields', 'errors']
const galleryTexts = import.meta.glob<Record<string, string>>('/locales/*/gallery.json', { import: 'default', eager: true })

async function start(): Promise<void> {
  await startI18n()
  const conditions = conditionsOf(location.search, currentLanguage())
  for (const [file, texts] of Object.entries(galleryTexts)) i18n.addResourceBundle(file.split('/')[2] ?? '', 'gallery', texts)
  await i18n.changeLanguage(conditions.lang)
  await loadAreas(['shell', ...AREAS])
  if (conditions.theme !== 'device') forceTheme(conditions.theme)
  if (conditions.connection === 'none') cutConnection()
  await network.probe()

  // a session without a token: components that read personal data need `Reads` (reads.tsx), else the server refuses them
  sessionPort.provide({
    token: () => Promise.resolve(undefined),
    storedToken: () => undefined,
    userId: () => SOMEBODY.userId,
    storedUserId: () => undefined,
    hasSignedOut: () => false,
    noteAccepted: () => undefined,
    renew: () => Promise.resolve(false),
    subscribe: () => () => undefined,
  })
  const root = document.getElementById('root')
  if (!root) throw new Error('gallery.html has no #root')
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <Theme>
        <Gallery conditions={conditions} />
        <ToastHost />
      </Theme>
    </QueryClientProvider>,
  )
}

void start()
