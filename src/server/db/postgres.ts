import type { Query } from 'drizzle-orm'
import { NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres'
import { PgDatabase, PgDialect, type PgTransactionConfig, type PreparedQueryConfig, type SelectedFieldsOrdered } from 'drizzle-orm/pg-core'
import type { Pool, PoolClient } from 'pg'
import { isConnectionSpent } from './failures.ts'
import type { Database } from './database.ts'

/** Drizzle on a pool of connections, with what drizzle leaves undone: transactions that give every connection back, names only where they may be used. */

/** No relations are declared: every query names its tables itself. */
type NoTables = Record<string, never>

export interface SessionOptions {
  /** false behind a pooler, where the next transaction may meet a connection that never heard of a statement's name */
  hasNames: boolean
  /** first statement of every transaction */
  begin: string
}

/** All queries and transactions of the server run on what comes back. */
export function databaseOn(pool: Pool, options: SessionOptions): Database {
  const dialect = new PgDialect()
  return new PgDatabase(dialect, new Session(pool, { pool, dialect, options }), undefined)
}

type RestOf<Call> = Call extends (query: never, fields: never, name: never, ...rest: infer Rest) => unknown ? Rest : never

interface Ground {
  pool: Pool
  dialect: PgDialect
  options: SessionOptions
}

class Session extends NodePgSession<NoTables, NoTables> {
  readonly #ground: Ground

  constructor(client: Pool | PoolClient, ground: Ground) {
    super(client, ground.dialect, undefined)
    this.#ground = ground
  }

  override prepareQuery<T extends PreparedQueryConfig = PreparedQueryConfig>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    name: string | undefined,
    ...rest: RestOf<NodePgSession<NoTables, NoTables>['prepareQuery']>
  ) {
    return super.prepareQuery<T>(query, fields, this.#ground.options.hasNames ? name : undefined, ...rest)
  }

  /**
   * drizzle's own begins before its `try`, so a connection that breaks there is never given back, and gives back broken
   * ones as if they were whole.
   */
  override async transaction<T>(
    transaction: (tx: NodePgTransaction<NoTables, NoTables>) => Promise<T>,
    config?: PgTransactionConfig,
  ): Promise<T> {
    const { pool, dialect, options } = this.#ground
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      const tx = new NodePgTransaction<NoTables, NoTables>(dialect, new Session(client, this.#ground), undefined)
      await client.query(options.begin)
      if (config) await tx.setTransaction(config)
      const result = await transaction(tx)
      const { command } = await client.query('commit')
      // what failed inside and was caught there has made the transaction void, and PostgreSQL says so only here
      if (command !== 'COMMIT') throw new Error('a transaction was rolled back at its commit')
      return result
    } catch (error) {
      broken = await brokenBy(error, client)
      throw error
    } finally {
      client.release(broken)
    }
  }
}

/** Rolls back. Why the connection cannot be used again, if it cannot. */
async function brokenBy(error: unknown, client: PoolClient): Promise<Error | undefined> {
  if (isConnectionSpent(error)) return error instanceof Error ? error : new Error(String(error))
  return client.query('rollback').then(
    () => undefined,
    (failed: Error) => failed,
  )
}
