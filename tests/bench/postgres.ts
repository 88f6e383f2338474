import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { makeCluster, postgresBinaries } from '../support/postgres.ts'

/** Real PostgreSQL with its default settings, including fsync, and these ones, until the measurement ends. */
export async function startPostgres(settings: string[] = []): Promise<{ url: string; end: () => Promise<void> }> {
  const installed = await postgresBinaries()
  if (installed === undefined) throw new Error('no PostgreSQL binaries are installed for this machine')
  const folder = await mkdtemp(join(tmpdir(), 'touchline-bench-'))
  await chmod(folder, 0o755)
  const cluster = await makeCluster(installed, folder, await freePort(), settings)
  await cluster.start()
  return {
    url: cluster.url,
    async end() {
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
