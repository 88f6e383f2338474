import type { Database } from '../db/database.ts'
import type { Refuse } from '../http/handler.ts'
import type { StoredResults } from './clear-results.ts'
import { findInstance, type InstanceRow } from './store.ts'

type CompletedRow = InstanceRow & { instance: { results: StoredResults; completedAt: Date } }

/** A player's own instance, if it is completed; refuses otherwise. */
export async function completedInstance(
  db: Database,
  id: string,
  userId: string,
  refuse: Refuse<'NOT_FOUND' | 'INSTANCE_RECLAIMED' | 'NOT_COMPLETE'>,
): Promise<CompletedRow> {
  const row = await findInstance(db, id, { userId })
  if (!row) return refuse('NOT_FOUND')
  const { results, completedAt } = row.instance
  if (row.instance.status === 'RECLAIMED') return refuse('INSTANCE_RECLAIMED')
  if (!results || !completedAt) return refuse('NOT_COMPLETE')
  return { ...row, instance: { ...row.instance, results, completedAt } }
}
