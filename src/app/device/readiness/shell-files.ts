/** The app's own files on this device, as the worker that stores them counts them (sw/shell-cache.ts). */
export interface ShellFiles {
  stored: number
  total: number
}

// a stopped worker has to start first; repairing fetches files over a slow connection
const COUNT_TIMEOUT_MS = 5000
const REPAIR_TIMEOUT_MS = 300_000

let hasNoWorker = false

/** No worker could be registered, or none appeared in time: this browser does not store the app. */
export function noteNoWorker(): void {
  hasNoWorker = true
}

/** False after `noteNoWorker`, until a worker is registered after all. */
export async function mayHaveWorker(): Promise<boolean> {
  if (hasNoWorker && (await findWorker())) hasNoWorker = false
  return !hasNoWorker
}

async function findWorker(isUsable = false): Promise<ServiceWorker | null | undefined> {
  try {
    const registration = await navigator.serviceWorker.getRegistration()
    return registration?.active ?? (isUsable ? undefined : registration?.installing)
  } catch (error) {
    // a browser that blocks storage
    console.warn('There is no service worker', error)
    noteNoWorker()
    return undefined
  }
}

/** As counted by the active worker, or the one being installed; undefined if there is none or it does not respond. */
export function countShell(): Promise<ShellFiles | undefined> {
  return callWorker('COUNT_SHELL', COUNT_TIMEOUT_MS)
}

/** `countShell`, but undefined while the worker is being installed: closing the page ends that, and the app would not open offline. */
export async function countUsableShell(): Promise<ShellFiles | undefined> {
  return (await findWorker(true)) ? countShell() : undefined
}

/** Has the worker fetch missing files; resolves to the count after that. */
export function repairShell(): Promise<ShellFiles | undefined> {
  return callWorker('REPAIR_SHELL', REPAIR_TIMEOUT_MS)
}

export function isWhole(files: ShellFiles | undefined): boolean {
  return files !== undefined && files.stored === files.total
}

async function callWorker(type: string, timeoutMs: number): Promise<ShellFiles | undefined> {
  const worker = await findWorker()
  if (!worker) return undefined
  const { port1, port2 } = new MessageChannel()
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise((resolve) => {
      port1.addEventListener('message', (event: MessageEvent<ShellFiles>) => resolve(event.data))
      port1.start()
      timer = setTimeout(() => resolve(undefined), timeoutMs)
      worker.postMessage({ type }, [port2])
    })
  } finally {
    clearTimeout(timer)
    port1.close()
  }
}
