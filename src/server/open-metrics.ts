import type { OpenDatabase } from './db/open.ts'
import type { PartState, Readiness } from './health/readiness.ts'
import type { CallSlots } from './http/call-slots.ts'
import { refuseAfter } from './http/refuse-after.ts'
import { presentCounts } from './jobs/present.ts'
import { countJobs } from './jobs/store.ts'
import { listenReason } from './listen-reason.ts'
import type { ListenAddress } from './local-address.ts'
import type { Metrics } from './metrics/metrics.ts'
import { serveMetrics, type MetricsServer } from './metrics/serve.ts'

// who reads the metrics waits for some seconds
const SCRAPE_MS = 1500

function workingOf(parts: Record<string, PartState>): Record<string, 0 | 1> {
  const known = Object.entries(parts).filter(([, state]) => state !== 'unknown')
  return Object.fromEntries(known.map(([part, state]) => [part, state === 'failing' ? 0 : 1] as const))
}

interface Watched {
  metrics: Metrics
  database: OpenDatabase
  callSlots: CallSlots
  readiness: () => Promise<Readiness>
}

/** Serves the metrics of this process, some of which are read when somebody asks. */
export async function openMetrics(at: ListenAddress, { metrics, database, callSlots, readiness }: Watched): Promise<MetricsServer> {
  const server = await serveMetrics(at, metrics).catch((error: unknown) => {
    throw new Error(listenReason(error, at, { port: 'METRICS_PORT', host: 'METRICS_HOST' }), { cause: error })
  })
  metrics.watch({
    connections: database.connections,
    calls: callSlots.count,
    behind: () => (database.replica && Number.isFinite(database.replica.behind()) ? database.replica.behind() : null),
    jobs: async () => presentCounts(await refuseAfter(SCRAPE_MS, countJobs(database.db))),
    parts: async () => workingOf((await readiness()).parts),
  })
  return server
}
