import { RELOAD_AGAIN_MS } from '#app/constants.ts'
import { delay } from '#app/delay.ts'
import { isStyle } from './fetch-file.ts'
import { reloadOnce } from './reload-once.ts'
import type { Retries } from './retries.ts'
import type { Telling } from './telling.ts'

/** A script has this long to run once its file is here; less after a preload without a reply, as the browser may wait for that one for ever. */
const RUN_STUCK_MS = 20_000
const RUN_STUCK_UNREPLIED_MS = 5000
/** the other scripts wait at most this long for what the first of them shows */
export const SHOWN_AT_LATEST_MS = 2000

/** Scripts that were preloaded without a byte: they run without an error. */
export const emptyScripts = new Set<string>()

/** Scripts, and whether each has run. */
type Runs = [file: string, hasRun: Promise<boolean>][]

/** A script that shows something, and the files that it needs before: the others run once it is `shown`, as they would delay it. */
export interface First {
  script: string
  needs: readonly string[]
  shown: Promise<void>
}

interface Running {
  /** the files, and the arrival of each */
  asked: ReadonlyMap<string, Promise<void>>
  retries: Retries
  telling: Telling
  /** a file was fetched while its preload still waited for a reply */
  isUnreplied: () => boolean
}

/** Runs all scripts, the entry last. */
export async function runScripts(running: Running, entry: string, first: First | undefined): Promise<void> {
  const { asked } = running
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
    await repair(runs, running)
    await runInTurn([first.script])
    if (await runs.at(-1)?.[1]) await Promise.race([first.shown, delay(SHOWN_AT_LATEST_MS)])
  }
  await runInTurn(asked.keys())
  await Promise.all(asked.values())
  runs.push([entry, run(entry)])
  void repair(runs, running)
}

/** Loads scripts again that arrived but did not run. */
async function repair(runs: Runs, { asked, retries, telling, isUnreplied }: Running): Promise<void> {
  // Chromium waits for the reply to a script's preload for ever, although the file has been fetched since
  const isLate = () => {
    if (window.earlyStart?.isDrawn) return
    telling.noteStuck()
    reloadOnce()
  }
  const stuck = setTimeout(isLate, isUnreplied() ? RUN_STUCK_UNREPLIED_MS : RUN_STUCK_MS)
  void Promise.all(runs.map(([, hasRun]) => hasRun)).then(() => clearTimeout(stuck))
  for (const [file, hasRun] of runs) {
    if (await hasRun) continue
    // a script whose preload failed fails again, although it has been fetched since: it need not be fetched twice
    if (await run(file)) continue
    // one that it imports may have been cut instead
    const cut = await Promise.all(Array.from(asked.keys(), (one) => retries.fetchUntilHere(one, 'default')))
    if (await run(file)) continue
    reloadOnce()
    if (cut.includes(true)) setTimeout(reloadOnce, RELOAD_AGAIN_MS)
  }
}

/** Resolves to whether it has loaded and is whole: one that was cut may have loaded without an error, and cannot be read. */
function run(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const script = document.createElement('script')
    addEventListener('error', ({ error, filename }) => error instanceof SyntaxError && filename.endsWith(file) && resolve(false))
    script.addEventListener('load', () => resolve(!emptyScripts.has(file)))
    script.addEventListener('error', () => resolve(false))
    document.head.append(Object.assign(script, { type: 'module', crossOrigin: '', src: `/${file}` }))
  })
}
