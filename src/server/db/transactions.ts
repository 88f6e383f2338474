import type { Database } from './database.ts'

/** The database that each transaction is of. */
const databases = new WeakMap<Database, Database>()

/** The database itself, or the one that a transaction, however deep in others, is of. */
export function databaseOf(db: Database): Database {
  return databases.get(db) ?? db
}

/** Remembers of each transaction which database it is of; drizzle does not say. */
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
