import { RELOAD_AGAIN_MS, RELOADED_KEY } from '#app/constants.ts'
import type { Progress } from './progress.ts'

/**
 * Loads the files of the first screen, retrying each until it arrives. A module script that failed to load may stay failed for the
 * life of the page, with all modules that import it. So a file is preloaded first, and its script is added only when the file and its
 * imports have arrived. docs/decisions/0034-a-first-load-that-survives.md
 */

/** after the navigation */
const PROGRESS_AFTER_MS = 2000
const RETRY_MINIMUM_MS = 500
/** multiplied by the number of failing files: the more there are, the less often each is retried */
const RETRY_MAXIMUM_MS = 30_000
/** a retry is aborted if no byte arrives for this long; a preload, which reports no progress, has longer */
const STUCK_MS = 20_000
const PRELOAD_STUCK_MS = 60_000
/** if no file arrives for this long, the page says that the connection is weak and offers to try again */
const WEAK_AFTER_MS = 10_000

const isStyle = (file: string) => file.endsWith('.css')

/**
 * loaded: in the browser's cache · removed: of an older build than the server's · foreign: a captive portal's page, a 5xx ·
 * failed: the connection broke
 */
type Outcome = 'loaded' | 'removed' | 'foreign' | 'failed'

interface Files {
  ask: (files: readonly string[]) => void
  /** Runs all requested scripts, the entry last; resolves once all files have arrived. */
  runAll: (entry: string) => Promise<void>
}

export function beginFiles(tell: (progress: Progress) => void): Files {
  const asked = new Map<string, Promise<void>>()
  const failing = new Set<string>()
  const wakers = new Set<() => void>()
  let here = 0
  let isLong = false
  let isStalled = false
  let stallTimer: ReturnType<typeof setTimeout> | undefined

  const wake = () => {
    for (const go of wakers) go()
  }
  const say = () => tell({ here, all: asked.size, isLong, isWeak: failing.size > 0 || isStalled, retry: wake })

  function noteArrival(): void {
    clearTimeout(stallTimer)
    isStalled = false
    if (here < asked.size) {
      stallTimer = setTimeout(() => {
        isStalled = true
        say()
      }, WEAK_AFTER_MS)
    }
    say()
  }

  function pause(tries: number): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        wakers.delete(go)
        resolve()
      }
      wakers.add(go)
      const longest = RETRY_MAXIMUM_MS * Math.max(failing.size, 1)
      setTimeout(go, Math.min(RETRY_MINIMUM_MS * 2 ** tries, longest) * (0.5 + Math.random() / 2))
    })
  }

  async function fetchUntilHere(file: string, cache: RequestCache): Promise<void> {
    failing.add(file)
    say()
    for (let tries = 0, outcome: Outcome; ; tries += 1) {
      await pause(tries)
      outcome = await fetchFile(file, tries === 0 ? cache : 'reload')
      if (outcome === 'loaded') break
      if (outcome === 'removed') reloadOnce()
    }
    failing.delete(file)
    say()
    // the connection is back: the other retries need not wait any longer
    wake()
  }

  function preload(file: string): Promise<void> {
    return new Promise((resolve) => {
      const link = document.createElement('link')
      const end = (more?: Promise<void>) => {
        clearTimeout(timer)
        wakers.delete(insist)
        resolve(more)
      }
      const insist = () => end(fetchUntilHere(file, 'reload'))
      const timer = setTimeout(insist, PRELOAD_STUCK_MS)
      wakers.add(insist)
      link.addEventListener('load', () => end())
      // the browser's cache resumes a partial download
      link.addEventListener('error', () => end(fetchUntilHere(file, 'default')))
      document.head.append(Object.assign(link, { rel: 'preload', as: 'script', crossOrigin: '', href: `/${file}` }))
    })
  }

  async function arrival(file: string): Promise<void> {
    // in Chromium, a style sheet whose preload failed stays failed
    if (!isStyle(file)) await preload(file)
    else if ((await fetchFile(file, 'default')) !== 'loaded') await fetchUntilHere(file, 'reload')
    here += 1
    noteArrival()
  }

  addEventListener('online', wake)
  setTimeout(() => {
    isLong = true
    say()
  }, PROGRESS_AFTER_MS - performance.now())
  // on the slowest lines the rest of the page, where it is shown, comes later than that
  addEventListener('DOMContentLoaded', say)
  noteArrival()

  return {
    ask(files) {
      for (const file of files) if (!asked.has(file)) asked.set(file, arrival(file))
    },
    async runAll(entry) {
      const runs: [file: string, hasRun: Promise<boolean>][] = []
      // Imports were requested first. Each script runs in a task of its own while others are still loading: one long task at the
      // end would freeze a slow phone.
      for (const [file, coming] of asked) {
        if (isStyle(file) || file === entry) continue
        await coming
        runs.push([file, run(file)])
      }
      await Promise.all(asked.values())
      runs.push([entry, run(entry)])
      void repair(runs)
    },
  }

  /** Loads scripts again that arrived but did not run. */
  async function repair(runs: [file: string, hasRun: Promise<boolean>][]): Promise<void> {
    for (const [file, hasRun] of runs) {
      if (await hasRun) continue
      // a script whose preload failed fails once more, although it has been fetched since: it need not come twice
      if (await run(file)) continue
      await fetchUntilHere(file, 'reload')
      if (!(await run(file))) reloadOnce()
    }
  }
}

async function fetchFile(file: string, cache: RequestCache): Promise<Outcome> {
  const stuck = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stuck.abort(), STUCK_MS)
  }
  restartTimer()
  try {
    const reply = await fetch(`/${file}`, { cache, signal: stuck.signal })
    if (reply.status === 404 || reply.status === 410) return 'removed'
    if (!reply.ok || !/javascript|css/.test(reply.headers.get('content-type') ?? '')) return 'foreign'
    const reader = reply.body?.getReader()
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) restartTimer()
    return 'loaded'
  } catch {
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}

function run(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const script = document.createElement('script')
    script.addEventListener('load', () => resolve(true))
    script.addEventListener('error', () => resolve(false))
    document.head.append(Object.assign(script, { type: 'module', crossOrigin: '', src: `/${file}` }))
  })
}

/** Once only: another reload would not find what the server does not have. */
function reloadOnce(): void {
  try {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(RELOADED_KEY) ?? 0) < RELOAD_AGAIN_MS) return
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()))
    location.reload()
  } catch {
    // without session storage, nothing would prevent endless reloads
  }
}
