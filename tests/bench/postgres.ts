import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres as startCluster, type Cluster } from '../support/engines.ts'

/** Real PostgreSQL with its default settings, fsync among them, for the length of a measurement. */
export async function startPostgres(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-bench-'))
  await chmod(folder, 0o755)
  const cluster = await startCluster(folder, [])
  if (!cluster) throw new Error('no PostgreSQL binaries are installed for this machine')
  return {
    url: cluster.url,
    async end() {
      await cluster.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
