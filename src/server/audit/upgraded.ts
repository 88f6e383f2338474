import type { Database } from '../db/database.ts'
import { noteRestored } from './restored-store.ts'
import { appendAuditEntry } from './store.ts'

/** What `migrate` does in its transaction, so that no kill can come between: a note of who upgraded the database, and to what. */
export const noteUpgrade =
  (by: 'tool' | 'server', now: () => Date) =>
  async (tx: Database, newest: string): Promise<void> => {
    // before it: the restored log is compared up to what came with the backup
    await noteRestored(tx, now())
    await appendAuditEntry(tx, { event: 'operator-call', userId: null, about: `${by} upgrade ${newest}` }, now())
  }
