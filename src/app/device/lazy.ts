/** All that stands on Dexie: it comes after the first question is painted, or when it is first wanted. docs/decisions/0015 */
export const loadDatabase = lazy(async () => (await import('./store/db.ts')).db)
export const loadDeviceStore = lazy(() => import('./store/dexie-store.ts'))
export const loadOutbox = lazy(() => import('./sending/outbox.ts'))
export const loadRescueFile = lazy(() => import('./rescue-file.ts'))
export const loadMissingDetails = lazy(() => import('./sending/missing-details.ts'))
export const loadStatus = lazy(() => import('./status.ts'))
export const loadPrepare = lazy(() => import('./readiness/prepare.ts'))
export const loadOwnReads = lazy(() => import('./own-reads.ts'))
export const loadStorageGrant = lazy(() => import('./readiness/storage-grant.ts'))
export const loadResults = lazy(() => import('./results.ts'))
export const loadAssignDraft = lazy(() => import('./assign-draft.ts'))
export const loadStoredReplies = lazy(() => import('./stored-replies.ts'))

/** Sends what is unsent. Safe before the outbox is loaded: loading it (main.tsx) sends everything unsent. */
export async function sendNow(): Promise<void> {
  const outbox = await loadOutbox().catch(() => undefined)
  await outbox?.sendNow()
}

/** The same within a second: taps that follow each other travel together. */
export async function sendSoon(): Promise<void> {
  const outbox = await loadOutbox().catch(() => undefined)
  outbox?.sendSoon()
}

/** Loads a module once. Called at every tap, where the bundler's own `import()` would search the whole document; a failed load is retried. */
function lazy<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined
  return () => {
    loading ??= whole(load()).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

async function whole<Module>(loading: Promise<Module>): Promise<Module> {
  const module = await loading
  if (module === undefined) throw new Error('The page is being loaded anew (shell/lost-chunks.ts).')
  return module
}
