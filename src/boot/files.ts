import { isStyle } from './fetch-file.ts'
import { watchLinks } from './links.ts'
import { addLink, seemsEmpty } from './preload.ts'
import type { Progress } from './progress.ts'
import { createRetries } from './retries.ts'
import { emptyScripts, runScripts, type First } from './running.ts'
import { createTelling } from './telling.ts'

/**
 * Loads the files of the first screen, retrying each until it arrives. A module script that failed to load may stay failed for the
 * life of the page, with all modules that import it. So a file is preloaded first (as a module only if the worker has it), and its script
 * is added only when the file and its imports have arrived. docs/decisions/0034-a-first-load-that-survives.md
 */

/** A preload reports no progress, and so has longer than a retry. */
const PRELOAD_STUCK_MS = 60_000

interface Files {
  /** @returns resolves when all files that were asked for until now have arrived; styles apply by then */
  ask: (files: readonly string[]) => Promise<unknown>
  /** The same, once others have arrived or one of them fails: then waiting gains nothing. */
  askAfter: (others: Promise<unknown>, files: readonly string[]) => Promise<unknown>
  /** Runs all requested scripts, the entry last; resolves once all files have arrived. */
  runAll: (entry: string, first?: First) => Promise<void>
}

export function beginFiles(tell: (progress: Progress) => void): Files {
  const asked = new Map<string, Promise<void>>()
  const telling = createTelling(
    tell,
    () => asked.size,
    () => retries.wake(),
  )
  const retries = createRetries(telling)
  const { fetchUntilHere, onWake } = retries
  /** a file was fetched while its preload still waited for a reply */
  let isUnreplied = false

  /** Resolves when it is in the browser's cache: to false if it had to be fetched. */
  function preload(file: string): Promise<boolean> {
    return new Promise((resolve) => {
      let isOver = false
      const end = (isWhole: boolean | Promise<boolean>) => {
        isOver = true
        clearTimeout(timer)
        forget()
        resolve(isWhole)
      }
      const fetched = (cache: RequestCache) => fetchUntilHere(file, cache).then(() => false)
      const insist = () => {
        isUnreplied = true
        end(fetched('reload'))
      }
      const timer = setTimeout(insist, PRELOAD_STUCK_MS)
      const forget = onWake(insist)
      // the browser's cache resumes a partial download
      void addLink(file).then((isLoaded) => {
        if (isOver) return
        if (!isLoaded || !seemsEmpty(file)) return end(isLoaded || fetched('default'))
        const check = fetchUntilHere(file, 'default').then((wasCut) => {
          // the browser runs what it has preloaded, whatever is fetched since
          if (wasCut) emptyScripts.add(file)
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
    telling.noteArrival()
  }

  function ask(files: readonly string[], before?: Promise<unknown>): Promise<unknown> {
    for (const file of files) if (!asked.has(file)) asked.set(file, before ? before.then(() => arrival(file)) : arrival(file))
    return Promise.all(asked.values())
  }

  watchLinks((file) => asked.has(file), retries)
  return {
    ask,
    askAfter: (others, files) => ask(files, Promise.race([others, retries.failed])),
    runAll: (entry, first) => runScripts({ asked, retries, telling, isUnreplied: () => isUnreplied }, entry, first),
  }
}
