import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/database.ts'
import type { Env } from '../env.ts'
import type { Keys } from '../keys.ts'
import type { Clock } from '../outside/clock.ts'
import { MailError, type Mail } from '../outside/mail.ts'
import { stopToken } from './stop-links.ts'
import { isUnwanted, noteLater, noteOver, noteSent, takeDue, type QueuedMail } from './store.ts'
import { isToPlayer, messageOf } from './messages.ts'

/** Sends what stands in `mails`, for as long as the server runs; several servers share the work (decision 0019). */
export interface MailQueue {
  /** Looks now; resolves when all that is due was tried. */
  wake: () => Promise<void>
  /** Resolves once nothing is under way. */
  settled: () => Promise<void>
  /** Takes no more, and waits for those under way. */
  close: () => Promise<void>
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** After each try that failed for want of a mail server; then it is given up. */
const PAUSES = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR]
/** Longer than a mail server may take for one message (outside/mail.ts). */
const UNDER_WAY = 2 * MINUTE
const LOOK_EVERY = 10 * SECOND
const AT_ONCE = 4

interface Sending {
  db: Database
  clock: Clock
  mail: Mail
  env: Env
  keys: Keys
  log: FastifyBaseLogger
}

export function mailQueue(parts: Sending): MailQueue {
  const state: { isClosed: boolean; isWanted: boolean; running?: Promise<void> | undefined } = { isClosed: false, isWanted: false }

  async function run(): Promise<void> {
    try {
      while (state.isWanted && !state.isClosed) {
        state.isWanted = false
        // a full hand: there may be more
        if ((await sendSome(parts)) === AT_ONCE) state.isWanted = true
      }
    } catch (error) {
      parts.log.error({ err: error }, 'mails could not be looked after')
    } finally {
      // right after the last look, so that no wake falls between
      state.running = undefined
    }
  }

  const wake = async (): Promise<void> => {
    if (state.isClosed) return
    state.isWanted = true
    state.running ??= run()
    await state.running
  }

  const timer = setInterval(() => void wake(), LOOK_EVERY)
  timer.unref()
  return {
    wake,
    settled: async () => state.running,
    close: async () => {
      state.isClosed = true
      clearInterval(timer)
      await state.running
    },
  }
}

async function sendSome(parts: Sending): Promise<number> {
  const now = parts.clock.now()
  const due = await takeDue(parts.db, AT_ONCE, now, new Date(now.getTime() + UNDER_WAY))
  const ends = await Promise.allSettled(due.map((mail) => sendOne(parts, mail)))
  for (const end of ends) if (end.status === 'rejected') parts.log.error({ err: end.reason }, 'what became of a mail could not be noted')
  return due.length
}

async function sendOne({ db, clock, mail: server, env, keys, log }: Sending, mail: QueuedMail): Promise<void> {
  // it may have been asked for after this was written
  if (isToPlayer(mail) && (await isUnwanted(db, mail.toNormal))) return noteOver(db, mail, 'unwanted', clock.now())
  try {
    await server.send(messageOf(mail, env.publicUrl, stopToken(keys, mail.toNormal)))
  } catch (error) {
    const now = clock.now()
    const pause = canRetry(error) ? PAUSES[mail.tries - 1] : undefined
    log.error({ err: error, mailId: mail.id, kind: mail.kind }, pause === undefined ? 'a mail was given up' : 'a mail could not be sent')
    if (pause !== undefined) return noteLater(db, mail.id, new Date(now.getTime() + pause))
    return noteOver(db, mail, error instanceof MailError && error.isRefused ? 'refused' : 'given-up', now)
  }
  return noteSent(db, mail, clock.now())
}

/** Not an address that is refused for good, nor a message that cannot be sent at all. */
function canRetry(error: unknown): boolean {
  return error instanceof MailError && !error.isRefused
}
