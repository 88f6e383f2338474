import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

interface Rows<Row> {
  rows: Row[]
}
interface Result extends PgQueryResultHKT {
  readonly type: Rows<this['row']>
}

/** The same queries on either engine; a transaction is one of these as well. */
export type Database = PgDatabase<Result>
