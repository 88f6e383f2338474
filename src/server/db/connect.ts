import { setTimeout as wait } from 'node:timers/promises'
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg'
import { addressParts } from '../database-address.ts'
import { isConnectionSpent, isDownForNow, NO_CONNECTION_ADVICE } from './failures.ts'
import { errorCode } from '../error-code.ts'

/** Connects to the PostgreSQL of DATABASE_URL: finds the host that takes writes, waits for one that is starting, and detects a pooler. */

/** Milliseconds. Each is a little shorter than the next, so that the most specific error is the one reported. */
interface TimeLimits {
  /** to get a connection */
  connect: number
  lock: number
  statement: number
  /** enforced by this process, in case the database does not reply at all */
  query: number
  idleInTransaction: number
}

export function timeLimitsOf(callSeconds: number): TimeLimits {
  const part = (share: number) => Math.ceil(callSeconds * share * 1000)
  return { connect: part(1 / 3), lock: part(0.5), statement: part(0.6), query: part(0.7), idleInTransaction: part(1) }
}

/** The limits that the database enforces per session. */
export function sessionLimits({ lock, statement, idleInTransaction }: TimeLimits) {
  return { statement_timeout: statement, lock_timeout: lock, idle_in_transaction_session_timeout: idleInTransaction }
}

const WRITABLE = new Set([null, 'any', 'read-write', 'primary'])

/** One address per host of `postgres://user@a:1,b:2/name?target_session_attrs=read-write`; the driver accepts only one. */
export function addressesOf(url: string): string[] {
  const { before, hosts, after } = addressParts(url) ?? { before: '', hosts: '', after: '' }
  const addresses = hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url]
  // a single address is left to the driver, which accepts more forms
  if (addresses.length === 1) return addresses
  if (!addresses.every((one) => URL.canParse(one))) throw new Error('DATABASE_URL: one of its hosts is not an address')
  const wanted = new URL(addresses[0] ?? '').searchParams.get('target_session_attrs')
  if (!WRITABLE.has(wanted)) throw new Error(`DATABASE_URL: target_session_attrs=${wanted} cannot be used, because this server writes`)
  return addresses
}

export type Pooler = 'none' | 'transaction'

interface ConnectOptions {
  addresses: readonly string[]
  limits: TimeLimits
  /** undefined: detected */
  pooler: Pooler | undefined
}

interface WritableHost {
  address: string
  pooler: Pooler
}

/** Tries all hosts at once; resolves to the first that takes writes, or rejects with the last error. */
async function findWritable(options: ConnectOptions): Promise<WritableHost> {
  try {
    return await Promise.any(options.addresses.map((address) => probe(address, options)))
  } catch (error) {
    throw error instanceof AggregateError ? (error.errors.findLast(isDownForNow) ?? error.errors.at(-1)) : error
  }
}

/**
 * Opens a session with our limits. A pooler that gives each transaction another session refuses or drops them: then no state of a
 * session can be relied on.
 */
async function probe(address: string, { limits, pooler }: ConnectOptions): Promise<WritableHost> {
  const setsLimits = pooler !== 'transaction'
  const client = new Client({
    connectionString: address,
    connectionTimeoutMillis: limits.connect,
    query_timeout: limits.connect,
    ...(setsLimits ? sessionLimits(limits) : {}),
  })
  // errors are reported by the awaited calls
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<ProbeResult>(PROBE)
    const [found] = rows
    if (!found) throw new Error('it does not reply')
    if (found.isReadOnly) throw takesNoWrites(found.isStandby ? undefined : SET_READ_ONLY)
    refuseOtherwiseSet(found)
    const hasLimits = setsLimits && found.statement === String(limits.statement)
    if (pooler === 'none' && !hasLimits) throw isPooled('drops')
    // a pooler may take single statements only
    if (!hasLimits) await client.query('begin').catch(refuseStatementMode)
    return { address, pooler: hasLimits ? 'none' : 'transaction' }
  } catch (error) {
    if (!isRefusedLimit(error)) throw error
    if (pooler === 'none') throw isPooled('refuses', error)
    return await probe(address, { addresses: [address], limits, pooler: 'transaction' })
  } finally {
    // not awaited: a frozen server would never confirm it
    void client.end().catch(() => {})
  }
}

const PROBE = `select current_setting('transaction_read_only') = 'on' as "isReadOnly", pg_is_in_recovery() as "isStandby",
  (select setting from pg_settings where name = 'statement_timeout') as statement,
  current_setting('server_encoding') as encoding, current_schema() as schema, current_setting('datestyle') as "dateStyle",
  current_setting('default_transaction_isolation') as isolation, current_setting('standard_conforming_strings') as strings,
  current_setting('array_nulls') as nulls, current_setting('extra_float_digits')::int as digits`

interface ProbeResult {
  isReadOnly: boolean
  isStandby: boolean
  statement: string
  encoding: string
  schema: string | null
  dateStyle: string
  isolation: string
  strings: string
  nulls: string
  digits: number
}

/** Refuses a database with other settings than ours, by which calls would fail or dates would be misread. */
function refuseOtherwiseSet({ encoding, schema, dateStyle, isolation, strings, nulls, digits }: ProbeResult): void {
  const refuse = (what: string, setting: string) => {
    throw new WrongSetting(`DATABASE_URL: ${what}. Run \`alter database … set ${setting}\`, and the same for its user if it was set there`)
  }
  if (encoding !== 'UTF8')
    throw new WrongSetting(
      `DATABASE_URL: The database is encoded in ${encoding}: make a new one with \`create database … encoding 'UTF8' template template0\``,
    )
  if (schema !== 'public')
    refuse(`its tables would go to ${schema === null ? 'no schema' : `the schema ${schema}`}`, 'search_path = public')
  if (!dateStyle.startsWith('ISO')) refuse(`its DateStyle is ${dateStyle}`, 'datestyle = ISO')
  if (isolation !== 'read committed')
    refuse(`its default_transaction_isolation is ${isolation}`, "default_transaction_isolation = 'read committed'")
  if (strings !== 'on') refuse(`its standard_conforming_strings is ${strings}`, 'standard_conforming_strings = on')
  if (nulls !== 'on') refuse(`its array_nulls is ${nulls}`, 'array_nulls = on')
  if (digits < 0) refuse(`its extra_float_digits is ${digits}`, 'extra_float_digits = 1')
}

const READ_ONLY = '25006'

const SET_READ_ONLY = 'the database takes no writes, as its default_transaction_read_only is on'

function takesNoWrites(why = 'the database takes no writes'): Error {
  return Object.assign(new Error(why), { code: READ_ONLY })
}

/** Retrying would not help. */
class WrongSetting extends Error {}

function refuseStatementMode(error: unknown): never {
  if (!(error instanceof Error) || !error.message.includes('statement pooling mode')) throw error
  throw new WrongSetting('DATABASE_URL leads to a pooler that takes single statements only. Set its pool_mode to transaction', {
    cause: error,
  })
}

function isPooled(does: 'refuses' | 'drops', cause?: unknown): WrongSetting {
  return new WrongSetting(`DATABASE_POOLER is none, but there is a pooler: it ${does} time limits. Remove the setting`, { cause })
}

function isRefusedLimit(error: unknown): boolean {
  return error instanceof Error && errorCode(error) === '08P01' && error.message.includes('startup parameter')
}

/** Waits for a database that is still starting, and announces that once. An error names the setting. */
export async function awaitWritable(options: ConnectOptions, seconds: number, announce: (line: string) => void): Promise<WritableHost> {
  const end = performance.now() + seconds * 1000
  for (let tries = 0; ; tries += 1) {
    try {
      return await findWritable(options)
    } catch (error) {
      if (error instanceof WrongSetting) throw error
      const advice = adviceOn(error)
      const why = `DATABASE_URL: ${reasonOf(error)}${advice === undefined ? '' : `. ${advice}`}`
      if (!isDownForNow(error) || performance.now() > end) throw new Error(why, { cause: error })
      if (tries === 0) announce(`${why}. Waiting up to ${seconds} seconds for the database.`)
      await wait(500)
    }
  }
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'Nothing listens there: start PostgreSQL, or correct host and port'],
  [/ENOTFOUND|EAI_AGAIN/, 'There is no such host: correct its name'],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|timeout expired/, 'The host does not reply: check the network, the firewall and its address'],
  [/^28P01|^28000/, 'Correct the user and password, or let this user in (pg_hba.conf)'],
  [/^3D000/, 'Create the database, or correct its name after the last /'],
  [
    /default_transaction_read_only/,
    'Run `alter database … set default_transaction_read_only = off`, and the same for its user if it was set there',
  ],
  [/^25006/, 'Name the primary, or all hosts, of which the one that takes writes is used'],
  [/^53300/, NO_CONNECTION_ADVICE],
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, 'Renew its certificate there, or set the clock of this machine'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'Name the host as its certificate does'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, 'Its certificate is not trusted here: add its authority through NODE_EXTRA_CA_CERTS'],
  [/does not support SSL/, 'Switch TLS on there, or remove sslmode and set DATABASE_TLS=off if the network in between is private'],
]

/** What to do about a connection that failed. */
function adviceOn(error: unknown): string | undefined {
  if (error instanceof AggregateError) return error.errors.map(adviceOn).find((one) => one !== undefined)
  if (!(error instanceof Error)) return undefined
  const code = errorCode(error) ?? ''
  return ADVICE.find(([sign]) => sign.test(code) || sign.test(error.message))?.[1]
}

/** A network AggregateError has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** A pool in which a broken connection never ends the process. */
export function createPool(host: WritableHost, options: ConnectOptions, config: PoolConfig, onError: (error: unknown) => void): Pool {
  const settings = { ...config, connectionString: host.address, connectionTimeoutMillis: options.limits.connect, keepAlive: true }
  const pool = options.addresses.length > 1 ? new FailoverPool(settings, options) : new Pool(settings)
  // the connection itself reports it, see below
  pool.on('error', () => {})
  // the pool listens to idle connections only, and an error event without a listener ends the process
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * After a connection broke, looks again for the host that takes writes. Each new connection is asked, too: a former leader may be back
 * as a standby unnoticed, and reads from it would be stale.
 */
class FailoverPool extends Pool {
  readonly #options: ConnectOptions
  #host: Promise<WritableHost> | undefined

  constructor(settings: PoolConfig, options: ConnectOptions) {
    super({ ...settings, verify: refuseReadOnly })
    this.#options = options
    this.on('release', (error: unknown) => {
      if (isConnectionSpent(error)) this.#host = undefined
    })
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | void {
    const isKnown = this.#host !== undefined
    const connecting = this.#connect().catch((error: unknown) => {
      if (isKnown && isReadOnly(error)) return this.#connect()
      throw error
    })
    if (!callback) return connecting
    connecting.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => {}),
    )
  }

  async #connect(): Promise<PoolClient> {
    try {
      this.#host ??= findWritable(this.#options)
      this.options.connectionString = (await this.#host).address
      return await super.connect()
    } catch (error) {
      this.#host = undefined
      throw error
    }
  }
}

function refuseReadOnly(client: PoolClient, done: (error?: Error) => void): void {
  const asked = client.query<{ isReadOnly: boolean }>(`select current_setting('transaction_read_only') = 'on' as "isReadOnly"`)
  asked.then(({ rows }) => done(rows[0]?.isReadOnly ? takesNoWrites() : undefined), done)
}

function isReadOnly(error: unknown): boolean {
  return errorCode(error) === READ_ONLY
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: (release?: Error | boolean) => void) => void
