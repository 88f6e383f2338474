import { RELOAD_AGAIN_MS, RELOADED_KEY } from '#app/constants.ts'
import { delay } from '#app/delay.ts'
import { hasElapsed } from '#app/device-clock.ts'
import { wasReloaded } from '#app/was-reloaded.ts'
import { LAST_LINE, LAST_RULE, LAST_SELECTOR } from './build.ts'
import type { PartsOutcome } from '#app/early-start.ts'
import type { Progress } from './progress.ts'

/**
 * Loads the files of the first screen, retrying each until it arrives. A module script that failed to load may stay failed for the
 * life of the page, with all modules that import it. So a file is preloaded first (as a module only if the worker has it), and its script
 * is added only when the file and its imports have arrived. docs/decisions/0034-a-first-load-that-survives.md
 */

/** after the navigation, so that it is on the screen by 2 s */
const PROGRESS_AFTER_MS = 1900
const RETRY_MINIMUM_MS = 500
/** multiplied by the number of failing files: the more there are, the less often each is retried */
const RETRY_MAXIMUM_MS = 30_000
/** a retry is aborted if no byte arrives for this long; a preload, which reports no progress, has longer */
const STUCK_MS = 20_000
const PRELOAD_STUCK_MS = 60_000
/** A script has this long to run once its file is here; less after a preload without a reply, as the browser may wait for that one for ever. */
const RUN_STUCK_MS = 20_000
const RUN_STUCK_UNREPLIED_MS = 5000
/** the other scripts wait at most this long for what the first of them shows */
export const SHOWN_AT_LATEST_MS = 2000
/** if no file arrives for this long, the page says that the connection is weak and offers to try again */
const WEAK_AFTER_MS = 10_000

/** For a style sheet that was cut: Firefox keeps it apart from its cache of files, for as long as it runs. */
const ANEW = '?anew'

const isStyle = (file: string) => file.includes('.css')

/**
 * loaded: in the browser's cache · removed: of an older build than the server's · foreign: a captive portal's page, a 5xx ·
 * failed: the connection broke · cut: it broke, but the part that arrived seems whole
 */
type Outcome = 'loaded' | 'removed' | 'foreign' | 'failed' | 'cut'

/** Scripts that were preloaded without a byte: they run without an error. */
const empty = new Set<string>()

/** A file that never has its end is used as it is: something on the way takes comments or empty rules out. */
const CUT_TRIES = 4

/** Scripts, and whether each has run. */
type Runs = [file: string, hasRun: Promise<boolean>][]

interface Files {
  /** @returns resolves when all files that were asked for until now have arrived; styles apply by then */
  ask: (files: readonly string[]) => Promise<unknown>
  /** The same, once others have arrived or one of them fails: then waiting gains nothing. */
  askAfter: (others: Promise<unknown>, files: readonly string[]) => Promise<unknown>
  /**
   * Runs all requested scripts, the entry last; resolves once all files have arrived.
   * @param first a script that shows something, and the files that it needs before: the others run once it is `shown`, as they would delay it
   */
  runAll: (entry: string, first?: { script: string; needs: readonly string[]; shown: Promise<void> }) => Promise<void>
}

export function beginFiles(tell: (progress: Progress) => void): Files {
  const asked = new Map<string, Promise<void>>()
  /** files that are being retried, and how the last try of each ended */
  const failing = new Map<string, Outcome>()
  const wakers = new Set<() => void>()
  let here = 0
  let isLong = false
  let isStalled = false
  /** a script does not run although all files are here */
  let isStuck = false
  /** a file was fetched while its preload still waited for a reply */
  let isUnreplied = false
  let stallTimer: ReturnType<typeof setTimeout> | undefined

  let noteFailed = () => {}
  const failed = new Promise<void>((resolve) => {
    noteFailed = resolve
  })
  const wake = () => {
    for (const go of wakers) go()
  }
  const troubleNow = () => {
    const outcomes = new Set(failing.values())
    if (outcomes.size > 0) return outcomes.has('failed') || outcomes.has('cut') ? 'weak' : 'foreign'
    return isStalled || isStuck ? 'weak' : undefined
  }
  const say = () => tell({ here, all: asked.size, isLong, trouble: troubleNow(), retry: () => (isStuck ? location.reload() : wake()) })

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

  /** Resolves to whether the first try failed, as where the browser's cache has a cut file. */
  async function fetchUntilHere(file: string, cache: RequestCache): Promise<boolean> {
    noteFailed()
    let tries = 0
    for (; ; tries += 1) {
      await pause(tries)
      const outcome = await fetchFile(file, tries === 0 ? cache : 'reload')
      if (outcome === 'loaded' || (outcome === 'cut' && tries === CUT_TRIES)) break
      failing.set(file, outcome)
      say()
      // once the app draws, it reloads by itself, and not while answers are in the page alone (shell/reload-for-lost-parts.ts)
      if (outcome === 'removed' && !window.earlyStart?.isDrawn) reloadOnce()
    }
    failing.delete(file)
    say()
    // the connection is back: the other retries need not wait any longer
    wake()
    return tries > 0
  }

  /** Resolves when it is in the browser's cache: to false if it had to be fetched. */
  function preload(file: string): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isWhole: boolean | Promise<boolean>) => {
        clearTimeout(timer)
        wakers.delete(insist)
        resolve(isWhole)
      }
      const fetched = (cache: RequestCache) => fetchUntilHere(file, cache).then(() => false)
      const insist = () => {
        isUnreplied = true
        end(fetched('reload'))
      }
      const timer = setTimeout(insist, PRELOAD_STUCK_MS)
      wakers.add(insist)
      // the browser's cache resumes a partial download
      void addLink(file).then((isLoaded) => {
        if (!isLoaded || !seemsEmpty(file)) return end(isLoaded || fetched('default'))
        const check = fetchUntilHere(file, 'default').then((wasCut) => {
          // the browser runs what it has preloaded, whatever is fetched since
          if (wasCut) empty.add(file)
          return !wasCut
        })
        end(check)
      })
    })
  }

  async function arrival(file: string): Promise<void> {
    const isWhole = await preload(file)
    // a style sheet whose preload failed stays failed in Chromium, so its link is added again
    if (!isWhole && isStyle(file)) await addLink(file)
    here += 1
    noteArrival()
  }

  function ask(files: readonly string[], before?: Promise<unknown>): Promise<unknown> {
    for (const file of files) if (!asked.has(file)) asked.set(file, before ? before.then(() => arrival(file)) : arrival(file))
    return Promise.all(asked.values())
  }

  addEventListener('online', wake)
  // also of a later screen: the browser would use it as it is, and it has not loaded before it is whole
  document.addEventListener('load', repairIfCut, true)
  document.addEventListener('error', noteFailedLink, true)
  setTimeout(() => {
    isLong = true
    say()
  }, PROGRESS_AFTER_MS - performance.now())
  noteArrival()

  return {
    ask,
    askAfter(others, files) {
      return ask(files, Promise.race([others, failed]))
    },
    async runAll(entry, first) {
      const runs: Runs = []
      // Imports were requested first. Each script runs in a task of its own while others are still loading: one long task at the
      // end would freeze a slow phone.
      const runInTurn = async (files: Iterable<string>) => {
        for (const file of files) {
          if (isStyle(file) || file === entry || runs.some(([one]) => one === file)) continue
          await asked.get(file)
          runs.push([file, run(file)])
        }
      }
      if (first) {
        await runInTurn(first.needs)
        await repair(runs)
        await runInTurn([first.script])
        if (await runs.at(-1)?.[1]) await Promise.race([first.shown, delay(SHOWN_AT_LATEST_MS)])
      }
      await runInTurn(asked.keys())
      await Promise.all(asked.values())
      runs.push([entry, run(entry)])
      void repair(runs)
    },
  }

  function noteFailedLink({ target }: Event): void {
    if (!(target instanceof HTMLLinkElement)) return
    failedLinks.add(target.href)
    const file = new URL(target.href).pathname.slice(1)
    // of a later screen, which is shown without it meanwhile
    if (target.rel === 'stylesheet' && !asked.has(file)) void fetchUntilHere(file, 'reload').then(() => addLink(file))
  }

  function repairIfCut(event: Event): void {
    const link = event.target as HTMLLinkElement // or something without a sheet
    const { href, sheet } = link
    if (!href || !sheet || isWhole(sheet) || href.endsWith(ANEW)) return
    event.stopImmediatePropagation()
    const anew = new URL(href).pathname + ANEW
    void fetchUntilHere(anew.slice(1), 'default').then(() => {
      link.href = anew
    })
  }

  /** Loads scripts again that arrived but did not run. */
  async function repair(runs: Runs): Promise<void> {
    // Chromium waits for the reply to a script's preload for ever, although the file has been fetched since
    const isLate = () => {
      if (window.earlyStart?.isDrawn) return
      isStuck = true
      say()
      reloadOnce()
    }
    const stuck = setTimeout(isLate, isUnreplied ? RUN_STUCK_UNREPLIED_MS : RUN_STUCK_MS)
    void Promise.all(runs.map(([, hasRun]) => hasRun)).then(() => clearTimeout(stuck))
    for (const [file, hasRun] of runs) {
      if (await hasRun) continue
      // a script whose preload failed fails again, although it has been fetched since: it need not be fetched twice
      if (await run(file)) continue
      // one that it imports may have been cut instead
      const cut = await Promise.all(Array.from(asked.keys(), (one) => fetchUntilHere(one, 'default')))
      if (await run(file)) continue
      reloadOnce()
      if (cut.includes(true)) setTimeout(reloadOnce, RELOAD_AGAIN_MS)
    }
  }
}

/** By its size, which browsers may not tell, as of what the worker sends, which is whole. */
function seemsEmpty(file: string): boolean {
  const arrived = performance.getEntriesByName(new URL(`/${file}`, location.href).href).pop()
  return (arrived as PerformanceResourceTiming | undefined)?.decodedBodySize === 0 && !isFromWorker()
}

const isWhole = ({ cssRules }: CSSStyleSheet) => cssRules[cssRules.length - 1]?.cssText.startsWith(LAST_SELECTOR)

/** Addresses of links that failed: the bundler's import adds one for each file, and WebKit has no resource entry for what failed. */
const failedLinks = new Set<string>()

/** See app/early-start.ts. */
export async function fetchParts({ isStuck = false } = {}): Promise<PartsOutcome> {
  // what is under way has no resource entry
  const links = isStuck ? Array.from(document.querySelectorAll<HTMLLinkElement>('link[href]'), ({ href }) => href) : failedLinks
  const addresses = [...links, ...performance.getEntriesByType('resource').map(({ name }) => name)]
  const files = addresses.flatMap((address) => /\/(assets\/[^/]+\.(?:js|css))$/.exec(address)?.[1] ?? [])
  const mend = async (file: string) => {
    let outcome = await fetchFile(file, 'default')
    // the browser's cache may wait for a reply to an older request, which never comes
    if (outcome === 'failed' && isStuck) outcome = await fetchFile(file, 'reload')
    for (let tries = 0; outcome === 'cut' && tries < CUT_TRIES; tries += 1) outcome = await fetchFile(file, 'reload')
    return outcome
  }
  const outcomes = await Promise.all(Array.from(new Set(files), mend))
  if (outcomes.includes('removed')) return 'removed'
  if (outcomes.some((outcome) => outcome === 'failed' || outcome === 'foreign')) return 'missing'
  return outcomes.includes('cut') ? 'cut' : 'here'
}

/** A style sheet that applies, or a script's preload. Resolves to whether it has loaded. */
function addLink(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    // as a module it is compiled while it loads, off the page's thread
    const script = isFromWorker() ? { rel: 'modulepreload' } : { rel: 'preload', as: 'script' }
    const kind = isStyle(file) ? { rel: 'stylesheet' } : { ...script, crossOrigin: '' }
    const link = Object.assign(document.createElement('link'), kind, { href: `/${file}` })
    link.addEventListener('load', () => resolve(true))
    link.addEventListener('error', () => resolve(false))
    // in the place of the link that failed: a style sheet's rules must not come after those of the next one
    const failed = document.querySelector(`link[rel="stylesheet"][href*="/${file}"]`)
    if (failed) failed.replaceWith(link)
    else document.head.append(link)
  })
}

/** The worker's files are at hand and whole. */
const isFromWorker = () => Boolean(navigator.serviceWorker?.controller)

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
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      text += part.value
      restartTimer()
    }
    return text.endsWith(isStyle(file) ? LAST_RULE : LAST_LINE) ? 'loaded' : 'cut'
  } catch {
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves to whether it has loaded and is whole: one that was cut may have loaded without an error, and cannot be read. */
function run(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const script = document.createElement('script')
    addEventListener('error', ({ error, filename }) => error instanceof SyntaxError && filename.endsWith(file) && resolve(false))
    script.addEventListener('load', () => resolve(!empty.has(file)))
    script.addEventListener('error', () => resolve(false))
    document.head.append(Object.assign(script, { type: 'module', crossOrigin: '', src: `/${file}` }))
  })
}

/** Once only: another reload would not find what the server does not have. */
function reloadOnce(): void {
  if (navigator.onLine && !window.earlyStart?.first?.hasUnwritten() && mayReload()) location.reload()
}

function mayReload(): boolean {
  try {
    if (!hasElapsed(Number(sessionStorage.getItem(RELOADED_KEY) ?? 0), RELOAD_AGAIN_MS)) return false
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()))
    // one of the page's own (ui/browser/blocked-storages.ts) is lost with it, and nothing else would prevent endless reloads
    return sessionStorage instanceof Storage || !wasReloaded()
  } catch {
    return !wasReloaded()
  }
}
