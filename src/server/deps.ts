import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './db/database.ts'
import type { Replica } from './db/replica.ts'
import type { Env } from './env.ts'
import type { JobEngine } from './job-engine/engine.ts'
import type { Keys } from './keys.ts'
import type { Limits } from './limits/limits.ts'
import type { CodeMails } from './mailer/code-mails.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { CardPayments } from './outside/card-payments.ts'
import type { Clock } from './outside/clock.ts'
import type { Mail } from './outside/mail.ts'
import type { Media } from './outside/media.ts'
import type { Random } from './outside/random.ts'

interface Embedded {
  /** the database's files as of one moment, in a tar (db/open.ts) */
  copyFiles: () => Promise<Blob>
  /** folder for copies; it need not exist */
  folder: string
}

/** What handlers have besides the request. Created once, by start.ts. */
export interface Deps {
  env: Env
  keys: Keys
  /** for store.ts files only */
  db: Database
  /** a standby for coaches' reads, which get it as `readDb`; null: there is none */
  replica: Replica | null
  /** null: the data is in a PostgreSQL */
  embedded: Embedded | null
  /** rate limits */
  limits: Limits
  metrics: Metrics
  clock: Clock
  random: Random
  mail: Mail
  /** work outside calls: queued mails, sweeps */
  jobs: JobEngine
  /** sends mails that must not be stored */
  codeMails: CodeMails
  cards: CardPayments
  media: Media
  log: FastifyBaseLogger
}
