import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

interface Rows<Row> {
  rows: Row[]
}
interface Result extends PgQueryResultHKT {
  readonly type: Rows<this['row']>
}

/** PostgreSQL or the embedded engine, or a transaction on either. */
export type Database = PgDatabase<Result>
