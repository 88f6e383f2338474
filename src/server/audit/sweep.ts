import type { Deps } from '../deps.ts'
import { findBrokenEntry, forgetOldEntries } from './store.ts'

/** Says aloud that the log was tampered with, and forgets what is too old to keep. */
export async function sweepAudit({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<void> {
  const broken = await findBrokenEntry(db)
  if (broken !== undefined) log.error({ entry: broken }, 'the audit log does not hold together')
  // a broken log is evidence: it stays as it is
  else await forgetOldEntries(db, clock.now())
}
