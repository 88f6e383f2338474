import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { ownCluster } from './own-cluster.ts'
import type { Cluster } from './postgres.ts'

export interface Replicated {
  primary: Cluster
  standby: Cluster
  /** one more that follows the primary, which is stopped for a moment; not started */
  another: () => Promise<Cluster>
  remove: () => Promise<void>
}

/** A PostgreSQL and a standby that follows it by streaming, both running. */
export async function replicated(): Promise<Replicated> {
  // a clean stop would wait for a standby that is frozen or stays behind
  const { cluster: primary, folder, remove } = await ownCluster(['fsync=off', 'wal_sender_timeout=3s'])
  const standbys: Cluster[] = []
  const another = async () => {
    await primary.stop('SIGINT')
    const made = await primary.standby(join(folder, `standby${standbys.length}`), await freePort())
    standbys.push(made)
    await primary.start()
    return made
  }
  await primary.start()
  const standby = await another()
  await standby.start()
  return {
    primary,
    standby,
    another,
    remove: async () => {
      for (const one of standbys) {
        await one.thaw().catch(() => {})
        await one.stop('SIGQUIT')
      }
      await remove()
    },
  }
}
