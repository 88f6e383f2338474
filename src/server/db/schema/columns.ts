import { sql } from 'drizzle-orm'
import { timestamp } from 'drizzle-orm/pg-core'

/**
 * What the tables have in common. Ids are random, times are UTC instants, money is integer cents; what must never happen twice is
 * a constraint of its table, so that races are decided by the database (DATA-8). PostgreSQL 15 syntax.
 */

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const oneOf = (column: string, values: readonly string[]) =>
  sql.raw(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`)

/** What stays when a person is erased is given another id. */
export const FOLLOWS = { onUpdate: 'cascade' } as const
