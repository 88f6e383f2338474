import { Refused } from './refusal.ts'

/**
 * Calls of a process take a place each while they are worked on, and wait for one while all are taken. So the queues behind it (of the
 * connections, the batches, the database) stay short, all waiting is done here, where it is measured, and whoever has waited for too
 * long is refused before anything was done. A slow event loop frees places late, and is measured with the rest. docs/decisions/0056
 */

/**
 * Who gets a free place first. `begun`: the call was let in before, for its credentials; `answers`: what would be lost or done in vain;
 * `asking`: waits for the card provider, the mail server or the object store; `lists`: whoever sees none can go on.
 */
const ORDER = ['begun', 'answers', 'others', 'asking', 'lists'] as const
export type Rank = (typeof ORDER)[number]

/** As many as one batch takes (db/batch.ts): more would only wait inside. */
const PLACES = 64
/** Of these: when one of those outside does not reply, whoever waits for it must not have all places. */
const PLACES_ASKING = 16
/** Long enough for a burst to be worked off, and with the call itself at most 2 s. */
const WAIT_MS = 1000
/** Once somebody has been waiting all through the last WAIT_MS, it is no burst, and whoever comes now would wait in vain. */
const SHORT_WAIT_MS = 100
/** Of a refused call. The portal comes back later than this, each device at another time (app/api/backoff.ts). */
const RETRY_AFTER_SECONDS = 5

export interface PlacesOptions {
  count?: number
  asking?: number
  /** how long a call waits for a place before it is refused */
  waitMs?: number
  /** and how long under an overload that lasts */
  shortWaitMs?: number
}

export interface Places {
  /** Does the work once there is a place for it; rejects with OVERLOADED if there is none in time. */
  take: <T>(rank: Rank, work: () => Promise<T>) => Promise<T>
  /** now */
  count: () => { running: number; waiting: number }
}

interface Waiting {
  enter: () => void
  timer: NodeJS.Timeout
}

/** @param onRefused told whenever a call is refused */
export function placesFor(
  onRefused: (rank: Rank) => void,
  { count = PLACES, asking = PLACES_ASKING, waitMs = WAIT_MS, shortWaitMs = SHORT_WAIT_MS }: PlacesOptions = {},
): Places {
  const waiting: Record<Rank, Waiting[]> = { begun: [], answers: [], others: [], asking: [], lists: [] }
  let running = 0
  let runningAsking = 0
  let isGivingOut = false
  /** since when there has always been somebody waiting */
  let crowdedSince = Number.POSITIVE_INFINITY

  const isNobodyWaiting = () => ORDER.every((rank) => waiting[rank].length === 0)
  const isFree = (rank: Rank) => running < count && (rank !== 'asking' || runningAsking < asking)

  function enter(rank: Rank): void {
    running += 1
    if (rank === 'asking') runningAsking += 1
  }

  function leave(rank: Rank): void {
    running -= 1
    if (rank === 'asking') runningAsking -= 1
    if (isGivingOut || isNobodyWaiting()) return
    isGivingOut = true
    // a call whose credentials were just read goes on in this turn of the event loop, and is then before those that have not begun
    setImmediate(giveOut)
  }

  /** The newest first: whoever has waited longest is the next to be refused in any case, and the others need not wait, too. */
  function giveOut(): void {
    isGivingOut = false
    for (const rank of ORDER) {
      while (isFree(rank)) {
        const next = waiting[rank].pop()
        if (!next) break
        clearTimeout(next.timer)
        enter(rank)
        next.enter()
      }
    }
    if (isNobodyWaiting()) crowdedSince = Number.POSITIVE_INFINITY
  }

  function waitFor(rank: Rank): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting[rank].splice(waiting[rank].indexOf(one), 1)
        if (isNobodyWaiting()) crowdedSince = Number.POSITIVE_INFINITY
        onRefused(rank)
        reject(new Refused('OVERLOADED', { retryAfter: RETRY_AFTER_SECONDS }))
      }
      const now = performance.now()
      crowdedSince = Math.min(crowdedSince, now)
      // a call that was let in is the next in any case
      const isShort = rank !== 'begun' && now - crowdedSince > waitMs
      const one: Waiting = { enter: resolve, timer: setTimeout(giveUp, isShort ? shortWaitMs : waitMs) }
      waiting[rank].push(one)
    })
  }

  return {
    take: async (rank, work) => {
      // while places are being given out, those who wait are before this one
      if (isFree(rank) && !isGivingOut) enter(rank)
      else await waitFor(rank)
      try {
        return await work()
      } finally {
        leave(rank)
      }
    },
    count: () => ({ running, waiting: ORDER.reduce((sum, rank) => sum + waiting[rank].length, 0) }),
  }
}
