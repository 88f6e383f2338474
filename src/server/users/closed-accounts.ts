import { REOPEN_DAYS } from '#contract/constants.ts'
import type { Deps } from '../deps.ts'
import { eraseAccount, listClosed } from './store.ts'

const DAY_MS = 86_400_000

/** The time until which an account can be reopened. */
export function reopenUntil(closedAt: Date): Date {
  return new Date(closedAt.getTime() + REOPEN_DAYS * DAY_MS)
}

/** Erases the accounts that were closed too long ago to be reopened. One at a time, since nobody is waiting. */
export async function eraseClosedAccounts({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const before = new Date(now.getTime() - REOPEN_DAYS * DAY_MS)
  for (const id of await listClosed(db, before)) await eraseAccount(db, id, now, before)
}
