import type { Deps } from '../deps.ts'
import { tryEach } from '../try-each.ts'
import { closedTooLongAgo, eraseAccount, listClosed } from './store.ts'

/** Erases the accounts that were closed too long ago to be reopened. One at a time, since nobody is waiting. */
export async function eraseClosedAccounts({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const before = closedTooLongAgo(now)
  await tryEach(await listClosed(db, before), async (id) => {
    await eraseAccount(db, id, now, before)
  })
}
