import { setTimeout as wait } from 'node:timers/promises'
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg'
import { isConnectionSpent, isDatabaseDown } from './failures.ts'

/** Finds the PostgreSQL of DATABASE_URL: the one of its hosts that takes writes, at once or a little later, straight or through a pooler. */

/** Milliseconds; each a little less than the one after, so that who waits hears it from whoever knows best why. */
export interface TimeLimits {
  /** of getting a connection */
  connect: number
  lock: number
  statement: number
  /** this end's own, for a database that says nothing at all */
  query: number
  idleInTransaction: number
}

export function timeLimitsOf(callSeconds: number): TimeLimits {
  const part = (share: number) => Math.ceil(callSeconds * share * 1000)
  return { connect: part(1 / 3), lock: part(0.5), statement: part(0.6), query: part(0.7), idleInTransaction: part(1) }
}

/** The limits a session is asked to keep. */
export function sessionLimits({ lock, statement, idleInTransaction }: TimeLimits) {
  return { statement_timeout: statement, lock_timeout: lock, idle_in_transaction_session_timeout: idleInTransaction }
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]+)(.*)$/
const WRITABLE = new Set([null, 'any', 'read-write', 'primary'])

/** One address per host of `postgres://user@a:1,b:2/name?target_session_attrs=read-write`; the driver takes but one. */
export function addressesOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(url) ?? []
  const addresses = hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url]
  // whatever else the driver understands as one address it may
  if (addresses.length === 1) return addresses
  if (!addresses.every((one) => URL.canParse(one))) throw new Error('DATABASE_URL: one of its hosts is not an address')
  const wanted = new URL(addresses[0] ?? '').searchParams.get('target_session_attrs')
  if (!WRITABLE.has(wanted)) throw new Error(`DATABASE_URL: target_session_attrs=${wanted} does not do, this server writes`)
  return addresses
}

export type Pooler = 'none' | 'transaction'

export interface Reaching {
  addresses: readonly string[]
  limits: TimeLimits
  /** undefined: found out */
  pooler: Pooler | undefined
}

export interface Found {
  address: string
  pooler: Pooler
}

/** The first that takes writes, asked all at once; the last of their errors when none does. */
export async function findWritable(reaching: Reaching): Promise<Found> {
  try {
    return await Promise.any(reaching.addresses.map((address) => probe(address, reaching)))
  } catch (error) {
    throw error instanceof AggregateError ? (error.errors.findLast(isDatabaseDown) ?? error.errors.at(-1)) : error
  }
}

/**
 * Looks at a session that asked for our limits. A pooler that hands each transaction to another session refuses to pass
 * them on, or drops them: then nothing of a session may be relied on.
 */
async function probe(address: string, { limits, pooler }: Reaching): Promise<Found> {
  const asksForLimits = pooler !== 'transaction'
  const client = new Client({
    connectionString: address,
    connectionTimeoutMillis: limits.connect,
    query_timeout: limits.connect,
    ...(asksForLimits ? sessionLimits(limits) : {}),
  })
  // a connection that breaks says so to whoever awaits it
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ isReadOnly: boolean; statement: string }>(
      `select current_setting('transaction_read_only') = 'on' as "isReadOnly", setting as statement from pg_settings where name = 'statement_timeout'`,
    )
    if (rows[0]?.isReadOnly) throw Object.assign(new Error('the database takes no writes'), { code: '25006' })
    const isKept = asksForLimits && rows[0]?.statement === String(limits.statement)
    return { address, pooler: pooler ?? (isKept ? 'none' : 'transaction') }
  } catch (error) {
    if (!isRefusedLimit(error)) throw error
    if (pooler === 'none')
      throw new WrongSetting('DATABASE_POOLER is none, but there is a pooler: it refuses limits of time', { cause: error })
    return await probe(address, { addresses: [address], limits, pooler: 'transaction' })
  } finally {
    // one that stands still would never say goodbye
    void client.end().catch(() => {})
  }
}

/** Waiting would not mend it. */
class WrongSetting extends Error {}

function isRefusedLimit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '08P01' && error.message.includes('startup parameter')
}

/** Waits for a database that is still starting, for so long and saying so once; names the setting when it is of no use. */
export async function awaitWritable(reaching: Reaching, seconds: number, say: (line: string) => void): Promise<Found> {
  const end = performance.now() + seconds * 1000
  for (let tries = 0; ; tries += 1) {
    try {
      return await findWritable(reaching)
    } catch (error) {
      if (error instanceof WrongSetting) throw error
      const why = `DATABASE_URL: ${reasonOf(error)}`
      if (!isDatabaseDown(error) || performance.now() > end) throw new Error(why, { cause: error })
      if (tries === 0) say(`${why}. Waiting up to ${seconds} seconds for the database.`)
      await wait(500)
    }
  }
}

/** Some errors of the network have no message but a code. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** A pool whose connections may break, at any moment, without breaking anything else. */
export function poolAt(found: Found, reaching: Reaching, config: PoolConfig, onError: (error: unknown) => void): Pool {
  const options = { ...config, connectionString: found.address, connectionTimeoutMillis: reaching.limits.connect, keepAlive: true }
  const pool = reaching.addresses.length > 1 ? new FailoverPool(options, reaching) : new Pool(options)
  // said by the connection itself
  pool.on('error', () => {})
  // the pool listens to idle connections alone, and an error nobody listens to ends the process
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Looks for the host that takes writes anew after a connection was of no more use. */
class FailoverPool extends Pool {
  readonly #reaching: Reaching
  #found: Promise<Found> | undefined

  constructor(options: PoolConfig, reaching: Reaching) {
    super(options)
    this.#reaching = reaching
    this.on('release', (error: unknown) => {
      if (isConnectionSpent(error)) this.#found = undefined
    })
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | void {
    const connecting = this.#connect()
    if (!callback) return connecting
    connecting.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => {}),
    )
  }

  async #connect(): Promise<PoolClient> {
    try {
      this.#found ??= findWritable(this.#reaching)
      this.options.connectionString = (await this.#found).address
      return await super.connect()
    } catch (error) {
      this.#found = undefined
      throw error
    }
  }
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: (release?: Error | boolean) => void) => void
