import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/database.ts'
import type { Env } from '../env.ts'
import type { Keys } from '../keys.ts'
import type { Clock } from '../outside/clock.ts'
import { MailError, type Mail } from '../outside/mail.ts'
import { stopToken } from './stop-links.ts'
import { isUnwanted, scheduleRetry, markFailed, markSent, takeDue, type QueuedMail } from './store.ts'
import { isToPlayer, messageOf } from './messages.ts'

/** Sends the rows of `mails` while the server runs; several servers share the work (decision 0019). */
export interface MailQueue {
  /** Looks now; resolves once everything that is due has been tried. */
  wake: () => Promise<void>
  /** Resolves once nothing is being sent. */
  settled: () => Promise<void>
  /** Starts no more, and waits for those being sent. */
  close: () => Promise<void>
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** After each attempt that failed because the mail server did; then the mail is given up. */
const RETRY_PAUSES_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS]
/** For so long no other server takes a mail that is being sent: longer than a mail server may take for it (outside/mail.ts). */
const RESERVED_MS = 2 * MINUTE_MS
const POLL_MS = 10 * SECOND_MS
const BATCH_SIZE = 4

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
        // a full batch: there may be more
        if ((await sendSome(parts)) === BATCH_SIZE) state.isWanted = true
      }
    } catch (error) {
      parts.log.error({ err: error }, 'the mail queue failed')
    } finally {
      // immediately after the last look, so that no wake is lost
      state.running = undefined
    }
  }

  const wake = async (): Promise<void> => {
    if (state.isClosed) return
    state.isWanted = true
    state.running ??= run()
    await state.running
  }

  const timer = setInterval(() => void wake(), POLL_MS)
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
  const due = await takeDue(parts.db, BATCH_SIZE, now, new Date(now.getTime() + RESERVED_MS))
  const outcomes = await Promise.allSettled(due.map((mail) => sendOne(parts, mail)))
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') parts.log.error({ err: outcome.reason }, 'the outcome of a mail could not be stored')
  return due.length
}

async function sendOne({ db, clock, mail: server, env, keys, log }: Sending, mail: QueuedMail): Promise<void> {
  // the owner may have opted out after this was queued
  if (isToPlayer(mail) && (await isUnwanted(db, mail.toNormal))) return markFailed(db, mail, 'unwanted', clock.now())
  try {
    await server.send(messageOf(mail, env.publicUrl, stopToken(keys, mail.toNormal)))
  } catch (error) {
    const now = clock.now()
    const pause = canRetry(error) ? RETRY_PAUSES_MS[mail.tries - 1] : undefined
    log.error(
      { err: error, mailId: mail.id, kind: mail.kind },
      pause === undefined ? 'gave up on a mail' : 'could not send a mail, will retry',
    )
    if (pause !== undefined) return scheduleRetry(db, mail.id, new Date(now.getTime() + pause))
    return markFailed(db, mail, error instanceof MailError && error.isRefused ? 'refused' : 'given-up', now)
  }
  return markSent(db, mail, clock.now())
}

/** Not if the address was refused permanently, nor if the message cannot be sent at all. */
function canRetry(error: unknown): boolean {
  return error instanceof MailError && !error.isRefused
}
