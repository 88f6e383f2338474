/** One process of a fleet that writes audit entries as fast as its connections allow, each in a transaction of its own. */
import { bindSealKeys } from '#server/audit/seals.ts'
import { appendAuditEntry } from '#server/audit/store.ts'
import { openDatabase } from '#server/db/open.ts'

export interface AuditWriterOptions {
  databaseUrl: string
  connections: number
  milliseconds: number
}

async function write({ databaseUrl, connections, milliseconds }: AuditWriterOptions): Promise<void> {
  const { db, close } = await openDatabase({ url: databaseUrl, connections }, () => {})
  bindSealKeys(db, ['a key of the benchmark, which seals nothing else'])
  const end = performance.now() + milliseconds
  let count = 0
  const one = async () => {
    while (performance.now() < end) {
      await appendAuditEntry(db, { event: 'signed-in', userId: null, about: 'bench' }, new Date())
      count += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  await close()
  process.send?.(count, () => process.exit(0))
}

process.once('message', (options: AuditWriterOptions) => void write(options))
process.on('disconnect', () => process.exit(0))
