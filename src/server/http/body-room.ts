import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import { RETRY_AFTER_SECONDS } from './call-slots.ts'
import { Refused } from './refusal.ts'
import { BODY_MAXIMUM } from './socket-limits.ts'

const MB = 1_048_576

/** Bytes that guests' and accounts' larger bodies may take of memory while they arrive, of the 640 MB that a process is given. */
export const ROOM = { guests: 32 * MB, accounts: 96 * MB }
/** A body up to this size is always let in: those of all connections fit. */
const SMALL = 16_384

/** One caller's part of the room: slow bodies of one must not keep out those of all others. */
const SHARE = 1 / 4

/**
 * @returns reserves room for a request's body until it has arrived or is given up; throws OVERLOADED if there is none, for this caller or
 * for all
 */
export function createBodyRoom(room: number): (request: IncomingMessage, response: ServerResponse, caller: string) => void {
  let used = 0
  const usedBy = new Map<string, number>()
  const count = (caller: string, bytes: number) => {
    used += bytes
    const theirs = (usedBy.get(caller) ?? 0) + bytes
    if (theirs > 0) usedBy.set(caller, theirs)
    else usedBy.delete(caller)
  }
  return (request, response, caller) => {
    const bytes = sizeOf(request)
    if (bytes <= SMALL) return
    if (used + bytes > room || (usedBy.get(caller) ?? 0) + bytes > room * SHARE)
      throw new Refused('OVERLOADED', { retryAfter: RETRY_AFTER_SECONDS })
    count(caller, bytes)
    let isReserved = true
    const release = () => {
      if (isReserved) count(caller, -bytes)
      isReserved = false
    }
    finished(request, { writable: false }, release)
    // a body that was refused is not read to its end, and its request never finishes
    response.once('close', release)
  }
}

/** The most that it may take: a larger one is refused by its announced size, or once so much of it has arrived. */
function sizeOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_MAXIMUM
  return Math.min(Number(headers['content-length'] ?? 0), BODY_MAXIMUM)
}
