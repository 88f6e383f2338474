import { Refused } from './refusal.ts'

/**
 * Each call takes a slot while it is worked on, and waits for one while all are taken. So the queues behind it (connections, batches, the
 * database) stay short, all waiting happens here, where it is measured, and a call that has waited too long is refused before anything was
 * done. A slow event loop frees slots late, and is measured with the rest. docs/decisions/0056
 */

/**
 * Who gets a free slot first. `begun`: the call was let in before, for its credentials; `answers`: would be lost, or done in vain;
 * `codes`: waits for the mail server; `payments`: for the card provider; `pictures`: for the object store or the decoder; `lists`: people can
 * work without them.
 */
const ORDER = ['begun', 'answers', 'others', 'codes', 'payments', 'pictures', 'lists'] as const
export type Rank = (typeof ORDER)[number]

/** As many as one batch takes (db/batch.ts): more would only wait inside. */
const SLOTS = 64
/** If an outside service does not reply, calls that wait for it must not take all slots, nor those of another service. */
const SHARES: Partial<Record<Rank, number>> = { codes: 12, payments: 12, pictures: 8 }
/** Long enough to work off a burst, and with the call itself at most 2 s. */
const WAIT_MS = 1000
/** Once calls have been waiting all through the last WAIT_MS, it is no burst, and a new call would only wait to be refused. */
const SHORT_WAIT_MS = 100
/** Retry-After of a refused call. The portal retries later than this, each device at another time (app/api/backoff.ts). */
export const RETRY_AFTER_SECONDS = 5

export interface CallSlotsOptions {
  count?: number
  /** of the slots, by rank */
  shares?: Partial<Record<Rank, number>>
  /** how long a call waits for a slot before it is refused */
  waitMs?: number
  /** the same while an overload lasts */
  shortWaitMs?: number
}

export interface CallSlots {
  /** Does the work once there is a slot for it; rejects with OVERLOADED if there is none in time. */
  run: <T>(rank: Rank, work: () => Promise<T>) => Promise<T>
  /** now */
  count: () => { running: number; waiting: number }
}

interface WaitingCall {
  enter: () => void
  timer: NodeJS.Timeout
}

/** Whether calls of this rank may take a part of the slots only. */
export const hasShare = (rank: Rank) => rank in SHARES

/** @param onRefused told whenever a call is refused */
export function createCallSlots(
  onRefused: (rank: Rank) => void,
  { count = SLOTS, shares = SHARES, waitMs = WAIT_MS, shortWaitMs = SHORT_WAIT_MS }: CallSlotsOptions = {},
): CallSlots {
  const waiting: Record<Rank, WaitingCall[]> = { begun: [], answers: [], others: [], codes: [], payments: [], pictures: [], lists: [] }
  let running = 0
  const runningOf: Record<Rank, number> = { begun: 0, answers: 0, others: 0, codes: 0, payments: 0, pictures: 0, lists: 0 }
  let isGranting = false
  /** since when some call has been waiting without a break */
  let crowdedSince = Number.POSITIVE_INFINITY

  const isNobodyWaiting = () => ORDER.every((rank) => waiting[rank].length === 0)
  const isFree = (rank: Rank) => running < count && runningOf[rank] < (shares[rank] ?? count)

  function enter(rank: Rank): void {
    running += 1
    runningOf[rank] += 1
  }

  function leave(rank: Rank): void {
    running -= 1
    runningOf[rank] -= 1
    if (isGranting || isNobodyWaiting()) return
    isGranting = true
    // a call whose credentials were just read continues in this turn of the event loop, before those that have not begun
    setImmediate(grantSlots)
  }

  /** The newest first: the one that has waited longest is the next to be refused in any case, and the others need not wait as well. */
  function grantSlots(): void {
    isGranting = false
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
      const one: WaitingCall = { enter: resolve, timer: setTimeout(giveUp, isShort ? shortWaitMs : waitMs) }
      waiting[rank].push(one)
    })
  }

  return {
    run: async (rank, work) => {
      // while slots are being granted, waiting calls go before this one
      if (isFree(rank) && !isGranting) enter(rank)
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
