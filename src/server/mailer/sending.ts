import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/database.ts'
import type { Env } from '../env.ts'
import type { JobEngine, RunJob } from '../job-engine/engine.ts'
import type { Keys } from '../keys.ts'
import type { Clock } from '../outside/clock.ts'
import { MailError, type Mail } from '../outside/mail.ts'
import { whenBounced } from './bounces-store.ts'
import { unsubscribeToken } from './unsubscribe-tokens.ts'
import { beginTry, markFailed, markSent, noteRefused, noteUnanswered, undoTry } from './outcomes-store.ts'
import { type QueuedMail } from './store.ts'
import { isSuppressed } from './suppressions-store.ts'
import { dropIfOver } from './taken-back-store.ts'
import { isToPlayer, messageOf } from './messages.ts'

/** Sends the mails that may wait: each row of `mails` has a job with its id (decision 0051). */

// a call that queues a mail wakes its own process; this is for the mails of others
const POLL_SECONDS = 10
/** Mails sent at once, each on a connection of its own. */
const WORKERS = 6
/** A mail server may take minutes to accept some of them. */
const WORKERS_IF_SLOW = 30
/** Waits between attempts to record that a mail was sent, while the database is away: or it would be sent again. */
const RECORD_WAITS_MS = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]

interface SenderParts {
  jobs: JobEngine
  db: Database
  clock: Clock
  mail: Mail
  env: Env
  keys: Keys
  log: FastifyBaseLogger
}

/** Has this process send queued mails. */
export async function sendQueuedMails(parts: SenderParts): Promise<void> {
  await parts.jobs.work('mails', { pollSeconds: POLL_SECONDS, workers: WORKERS, workersMaximum: WORKERS_IF_SLOW }, sendOne(parts))
}

function sendOne({ db, clock, mail: server, env, keys, log }: SenderParts): RunJob {
  return async ({ id, isLast }) => {
    const mail = await beginTry(db, id)
    // cancelled, erased, or sent by a process that was killed before it could record that
    if (!mail) return undefined
    const skipped = await reasonToSkip(db, mail, clock.now()).catch(async (error: unknown) => {
      await undoTry(db, mail, clock.now())
      throw error
    })
    if (skipped === 'over') return undefined
    if (skipped) {
      await undoTry(db, mail, clock.now())
      await markFailed(db, mail, skipped.why, clock.now(), skipped.bouncedAt)
      return undefined
    }
    try {
      await server.send(messageOf(mail, env.publicUrl, unsubscribeToken(keys, mail.toNormal)))
    } catch (error) {
      const isOver = isLast || !canRetry(error)
      if (error instanceof MailError && error.isUnanswered) await noteUnanswered(db, mail)
      // it counts: whoever has the address was asked
      else if (error instanceof MailError && error.isRefused) await noteRefused(db, mail, clock.now())
      else await undoTry(db, mail, clock.now())
      log.error({ err: error, mailId: mail.id, kind: mail.kind }, isOver ? 'gave up on a mail' : 'could not send a mail, will retry')
      if (isOver) await markFailed(db, mail, error instanceof MailError && error.isRefused ? 'refused' : 'given-up', clock.now())
      return { error, isFinal: isOver }
    }
    await recordSent(db, mail, clock)
    return undefined
  }
}

interface SkipReason {
  why: 'unwanted' | 'refused'
  bouncedAt?: Date
}

/** Why a mail that was queued is not to be sent any more; `over`: it has been dropped. */
async function reasonToSkip(db: Database, mail: QueuedMail, now: Date): Promise<SkipReason | 'over' | undefined> {
  if (mail.kind === 'taken-back' && (await dropIfOver(db, mail, now))) return 'over'
  if (!isToPlayer(mail)) return undefined
  if (await isSuppressed(db, mail.toNormal)) return { why: 'unwanted' }
  const bouncedAt = await whenBounced(db, mail.toNormal, now)
  return bouncedAt ? { why: 'refused', bouncedAt } : undefined
}

/** Rejects if the database is away for longer than a minute. */
async function recordSent(db: Database, mail: QueuedMail, clock: Clock): Promise<void> {
  const sentAt = clock.now()
  for (const wait of RECORD_WAITS_MS) {
    try {
      return await markSent(db, mail, sentAt)
    } catch {
      await pause(wait)
    }
  }
  await markSent(db, mail, sentAt)
}

/** Whether to try again: not if the address was refused permanently, nor if the message cannot be sent at all. */
function canRetry(error: unknown): boolean {
  return error instanceof MailError && !error.isRefused
}
