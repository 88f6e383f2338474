import type { Outcome } from './fetch-file.ts'
import type { Progress } from './progress.ts'

/** after the navigation, so that it is on the screen by 2 s */
const PROGRESS_AFTER_MS = 1900
/** if no file arrives for this long, the page says that the connection is weak and offers to try again */
const WEAK_AFTER_MS = 10_000

/** What is told of the loading. */
export interface Telling {
  /** The try failed, and the file is retried. */
  noteFailed: (file: string, outcome: Outcome) => void
  noteFetched: (file: string) => void
  countFailing: () => number
  /** A file has arrived for good. */
  noteArrival: () => void
  /** A script does not run although all files are here. */
  noteStuck: () => void
}

export function createTelling(tell: (progress: Progress) => void, countAsked: () => number, retry: () => void): Telling {
  /** files that are being retried, and how the last try of each ended */
  const failing = new Map<string, Outcome>()
  let here = 0
  let isLong = false
  let isStalled = false
  let isStuck = false
  let hasStopped = false
  let stallTimer: ReturnType<typeof setTimeout> | undefined

  const troubleNow = () => {
    const outcomes = new Set(failing.values())
    if (outcomes.size > 0) return outcomes.has('failed') || outcomes.has('stuck') || outcomes.has('cut') ? 'weak' : 'foreign'
    return isStalled || isStuck ? 'weak' : undefined
  }
  const tryAgain = () => {
    if (isStuck) return location.reload()
    if (isStalled && here === 0 && !hasStopped) {
      // requests that get no reply hold the connections that the retries need; only once, as on a slow line it begins the downloads anew
      hasStopped = true
      stop()
    }
    retry()
  }
  const say = () => tell({ here, all: countAsked(), isLong, trouble: troubleNow(), retry: tryAgain })

  const awaitNext = () => {
    clearTimeout(stallTimer)
    isStalled = false
    stallTimer = setTimeout(() => {
      isStalled = here < countAsked()
      if (isStalled) say()
    }, WEAK_AFTER_MS)
  }

  setTimeout(() => {
    isLong = true
    say()
  }, PROGRESS_AFTER_MS - performance.now())
  awaitNext()

  return {
    noteFailed(file, outcome) {
      failing.set(file, outcome)
      say()
    },
    noteFetched(file) {
      failing.delete(file)
      say()
    },
    countFailing: () => failing.size,
    noteArrival() {
      here += 1
      awaitNext()
      say()
    },
    noteStuck() {
      isStuck = true
      say()
    },
  }
}
