import type { Query } from 'drizzle-orm'
import { NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres'
import { PgDatabase, PgDialect, type PgTransactionConfig, type PreparedQueryConfig, type SelectedFieldsOrdered } from 'drizzle-orm/pg-core'
import type { Pool, PoolClient } from 'pg'
import { isConnectionSpent } from './failures.ts'
import type { Database } from './database.ts'

/** Drizzle on a connection pool, with two fixes: transactions always release their connection, and statement names can be switched off. */

/** No relations are declared: every query names its tables itself. */
type NoTables = Record<string, never>

interface SessionOptions {
  /** whether statements may be named; false behind a pooler, where the next transaction may get a connection without them */
  hasNames: boolean
  /** first statement of every transaction */
  begin: string
}

/** The database that all queries and transactions of the server use. */
export function databaseOn(pool: Pool, options: SessionOptions): Database {
  const dialect = new PgDialect()
  return new PgDatabase(dialect, new Session(pool, { pool, dialect, options }), undefined)
}

type RestOf<Call> = Call extends (query: never, fields: never, name: never, ...rest: infer Rest) => unknown ? Rest : never

interface SessionParts {
  pool: Pool
  dialect: PgDialect
  options: SessionOptions
}

class Session extends NodePgSession<NoTables, NoTables> {
  readonly #parts: SessionParts

  constructor(client: Pool | PoolClient, parts: SessionParts) {
    super(client, parts.dialect, undefined)
    this.#parts = parts
  }

  override prepareQuery<T extends PreparedQueryConfig = PreparedQueryConfig>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    name: string | undefined,
    ...rest: RestOf<NodePgSession<NoTables, NoTables>['prepareQuery']>
  ) {
    return super.prepareQuery<T>(query, fields, this.#parts.options.hasNames ? name : undefined, ...rest)
  }

  /**
   * Drizzle's own sends `begin` before its `try`, so a connection that breaks there is never released; and it returns broken
   * connections to the pool as if they worked.
   */
  override async transaction<T>(
    transaction: (tx: NodePgTransaction<NoTables, NoTables>) => Promise<T>,
    config?: PgTransactionConfig,
  ): Promise<T> {
    const { pool, dialect, options } = this.#parts
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      const tx = new NodePgTransaction<NoTables, NoTables>(dialect, new Session(client, this.#parts), undefined)
      await client.query(options.begin)
      if (config) await tx.setTransaction(config)
      const result = await transaction(tx)
      const { command } = await client.query('commit')
      // if a statement failed and its error was caught, PostgreSQL rolls back here and reports it only by the command
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back on commit')
      return result
    } catch (error) {
      broken = await rollBack(error, client)
      throw error
    } finally {
      client.release(broken)
    }
  }
}

/** Resolves to the reason if the connection cannot be used again. */
async function rollBack(error: unknown, client: PoolClient): Promise<Error | undefined> {
  if (isConnectionSpent(error)) return error instanceof Error ? error : new Error(String(error))
  return client.query('rollback').then(
    () => undefined,
    (failed: Error) => failed,
  )
}
