import { sweepAudit } from './audit/sweep.ts'
import { deleteOldSessions } from './auth/sessions-store.ts'
import { deleteOldSignIns } from './auth/store.ts'
import type { Deps } from './deps.ts'
import { dropOldLog, makeLogPartitions } from './instances/answer-log-store.ts'
import { checkClock } from './health/store.ts'
import { expireInvitations } from './instances/expired-invitations-store.ts'
import { deleteOldReplies } from './http/first-replies-store.ts'
import { deleteExpiredLimits } from './limits/store.ts'
import { deleteOldBounces } from './mailer/bounces-store.ts'
import { endLostMails } from './mailer/outcomes-store.ts'
import { deleteOldMails } from './mailer/store.ts'
import { endErasedCheckouts } from './payments/erased-checkouts.ts'
import { sweepPictures } from './pictures/sweep.ts'
import { eraseClosedAccounts } from './users/closed-accounts.ts'

/** The sweeps: hourly jobs that delete what is no longer needed, and keep the rest in order. The names are stored, and shown to the operator. */
const SWEEPS: Readonly<Record<string, (deps: Deps) => Promise<unknown>>> = {
  'old-sign-ins': ({ db, clock }) => deleteOldSignIns(db, clock.now()),
  'old-sessions': ({ db, clock }) => deleteOldSessions(db, clock.now()),
  'closed-accounts': eraseClosedAccounts,
  'erased-checkouts': endErasedCheckouts,
  pictures: sweepPictures,
  'expired-invitations': ({ db, clock }) => expireInvitations(db, clock.now()),
  'lost-mails': ({ db, clock }) => endLostMails(db, clock.now()),
  'old-mails': ({ db, clock }) => deleteOldMails(db, clock.now()),
  'old-bounces': ({ db, clock }) => deleteOldBounces(db, clock.now()),
  'expired-limits': ({ db, clock }) => deleteExpiredLimits(db, clock.now()),
  'old-replies': ({ db }) => deleteOldReplies(db),
  'answer-log-parts': ({ db }) => makeLogPartitions(db),
  'old-answer-log': ({ db, clock, env }) => dropOldLog(db, clock.now(), env.answerLogMonths),
  'audit-log': sweepAudit,
}

const HOURLY = '7 * * * *'
const POLL_SECONDS = 30
/** One for each of the three that call the card provider or the object store, which may reply to nothing, and one for the others. */
const WORKERS_IF_SLOW = 4

/** Makes this process run sweeps: one at a time, and others beside one that takes long. */
export async function doSweeps(deps: Deps): Promise<void> {
  await deps.jobs.work('sweeps', { pollSeconds: POLL_SECONDS, workersMaximum: WORKERS_IF_SLOW }, async ({ name, isLast }) => {
    const sweep = SWEEPS[name]
    if (!sweep) throw new Error(`this build has no sweep ${name}`)
    try {
      // what is deleted too early is gone
      await checkClock(deps.db)
      await sweep(deps)
      return undefined
    } catch (error) {
      deps.log.error({ err: error, sweep: name }, isLast ? 'a periodic cleanup failed' : 'a periodic cleanup failed, will retry')
      return { error, isFinal: false }
    }
  })
}

/** Schedules each sweep every hour, once in the fleet. */
export async function scheduleSweeps({ jobs }: Deps): Promise<void> {
  for (const name of Object.keys(SWEEPS)) await jobs.schedule('sweeps', name, HOURLY)
}
