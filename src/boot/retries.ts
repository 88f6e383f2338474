import { CUT_TRIES, fetchFile } from './fetch-file.ts'
import { reloadOnce } from './reload-once.ts'
import type { Telling } from './telling.ts'

const RETRY_MINIMUM_MS = 500
/** multiplied by the number of failing files: the more there are, the less often each is retried */
const RETRY_MAXIMUM_MS = 30_000

export interface Retries {
  /** Resolves to whether the first try failed, as where the browser's cache has a cut file. */
  fetchUntilHere: (file: string, cache: RequestCache) => Promise<boolean>
  /** resolves when the first file has to be fetched */
  failed: Promise<void>
  /** Retries all that fails now. */
  wake: () => void
  /** Runs it once there is reason to try again at once. Returns a function that takes that back. */
  onWake: (go: () => void) => () => void
}

export function createRetries(telling: Telling): Retries {
  const wakers = new Set<() => void>()
  let noteFailed = () => {}
  const failed = new Promise<void>((resolve) => {
    noteFailed = resolve
  })
  const wake = () => {
    for (const go of wakers) go()
  }
  const onWake = (go: () => void) => {
    wakers.add(go)
    return () => void wakers.delete(go)
  }

  function pause(tries: number): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        forget()
        resolve()
      }
      const forget = onWake(go)
      const longest = RETRY_MAXIMUM_MS * Math.max(telling.countFailing(), 1)
      setTimeout(go, Math.min(RETRY_MINIMUM_MS * 2 ** tries, longest) * (0.5 + Math.random() / 2))
    })
  }

  async function fetchUntilHere(file: string, cache: RequestCache): Promise<boolean> {
    noteFailed()
    let tries = 0
    for (; ; tries += 1) {
      await pause(tries)
      const outcome = await fetchFile(file, tries === 0 ? cache : 'reload')
      if (outcome === 'loaded' || (outcome === 'cut' && tries === CUT_TRIES)) break
      telling.noteFailed(file, outcome)
      // once the app draws, it reloads by itself, and not while answers are in the page alone (shell/reload-for-lost-parts.ts)
      if (outcome === 'removed' && !window.earlyStart?.isDrawn) reloadOnce()
    }
    telling.noteFetched(file)
    // the connection is back: the other retries need not wait any longer
    wake()
    return tries > 0
  }

  addEventListener('online', wake)
  return { fetchUntilHere, failed, wake, onWake }
}
