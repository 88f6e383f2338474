import type { Database } from './database.ts'

/** Maps a transaction to its database. */
const databases = new WeakMap<Database, Database>()

/** The database of a transaction, however deeply nested; a database is its own. */
export function databaseOf(db: Database): Database {
  return databases.get(db) ?? db
}

export function isTransaction(db: Database): boolean {
  return databases.has(db)
}

/** Records the database of each transaction, since drizzle does not provide it. */
export function trackTransactions(db: Database, root: Database = db): Database {
  const transaction = db.transaction.bind(db)
  db.transaction = (work, config) =>
    transaction((tx) => {
      databases.set(tx, root)
      trackTransactions(tx, root)
      return work(tx)
    }, config)
  return db
}
