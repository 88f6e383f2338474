import { sql } from 'drizzle-orm'
import { timestamp } from 'drizzle-orm/pg-core'

/**
 * Conventions of all tables. Ids are random, times are UTC instants, money is integer cents. Whatever must not happen twice is a
 * constraint, so that the database decides races (DATA-8). PostgreSQL 15 syntax.
 */

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** A condition, written out as constraints and indexes need it. */
export const oneOf = (column: string, values: readonly string[]) =>
  sql.raw(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`)

/** For foreign keys to rows that get a new id when a person is erased. */
export const FOLLOWS = { onUpdate: 'cascade' } as const
