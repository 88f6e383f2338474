import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { makeCluster, postgresBinaries, type Cluster } from './postgres.ts'

export interface OwnCluster {
  cluster: Cluster
  folder: string
  /** ends its processes, frozen or not, and removes it */
  remove: () => Promise<void>
}

/** A PostgreSQL for one test file alone, which may stop or break it; not started. By default the one from npm. */
export async function ownCluster(settings: string[] = [], given?: string): Promise<OwnCluster> {
  const installed = given ?? (await postgresBinaries())
  if (installed === undefined) throw new Error('no PostgreSQL binaries are installed for this machine')
  const folder = await mkdtemp(join(tmpdir(), 'touchline-own-'))
  await chmod(folder, 0o755)
  const cluster = await makeCluster(installed, folder, await freePort(), settings)
  return {
    cluster,
    folder,
    remove: async () => {
      await cluster.thaw().catch(() => {})
      await cluster.stop('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
