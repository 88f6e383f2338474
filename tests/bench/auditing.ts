/** How many audit entries a fleet writes a second if each commit takes 10 ms, as to a synchronous standby in another building. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import type { Measured } from './figures.ts'
import type { AuditWriterOptions } from './audit-writer.ts'
import { startPostgres } from './postgres.ts'
import { spread } from './statistics.ts'

const PROCESSES = 3
const CONNECTIONS = 16
const SLICE_MS = 3000
/** PostgreSQL waits this long before it flushes, whether others commit or not; those that do share the flush. */
const SLOW_COMMITS = ['commit_delay=10000', 'commit_siblings=0']

export async function measureAuditing(runs: number): Promise<Measured[]> {
  const postgres = await startPostgres(SLOW_COMMITS)
  try {
    const { db, close } = await openDatabase({ url: postgres.url }, () => {})
    await migrate(db)
    await close()
    const rates: number[] = []
    for (let run = 0; run < runs; run += 1) {
      const counts = await Promise.all(Array.from({ length: PROCESSES }, () => notesOfOne(postgres.url)))
      rates.push(counts.reduce((sum, count) => sum + count, 0) / (SLICE_MS / 1000))
    }
    return [{ key: 'audit-notes', value: spread(rates), ours: `${spread(rates).median.toFixed(0)} a second`, detail: rates }]
  } finally {
    await postgres.end()
  }
}

async function notesOfOne(databaseUrl: string): Promise<number> {
  const child = fork(fileURLToPath(new URL('./audit-writer.ts', import.meta.url)))
  const options: AuditWriterOptions = { databaseUrl, connections: CONNECTIONS, milliseconds: SLICE_MS }
  child.send(options)
  const [count] = (await once(child, 'message')) as [number]
  return count
}
