import type { Database } from './database.ts'
import { databaseOf } from './transactions.ts'

const names = new Set<string>()

/**
 * A query that runs often: its SQL is built once per database and parsed once per connection, under its name. `postgres.ts` decides
 * whether the name is sent, because behind a pooler the next transaction may get a connection without the statement.
 *
 *     const openUser = prepared('open_user', (db) => db.select()….where(eq(users.id, sql.placeholder('id'))))
 *     const [row] = await openUser(db).execute({ id })
 *
 * @param name of the statement, unique
 */
export function prepared<Statement extends object>(
  name: string,
  build: (db: Database) => { prepare: (name: string) => Statement },
): (db: Database) => Statement {
  if (names.has(name)) throw new Error(`there are two prepared statements named ${name}`)
  names.add(name)
  const statements = new WeakMap<Database, Statement>()
  const statementOf = (db: Database) => {
    const existing = statements.get(db)
    if (existing !== undefined) return existing
    const statement = build(db).prepare(name)
    statements.set(db, statement)
    return statement
  }
  return (db) => {
    const root = databaseOf(db)
    return root === db ? statementOf(db) : onConnectionOf(db, statementOf(root))
  }
}

/** The same statement in a transaction. Drizzle ties one to its connection, and would build it again for each transaction. */
function onConnectionOf<Statement extends object>(tx: Database, statement: Statement): Statement {
  const { session } = tx._
  // in neither type, though both drivers have it; a statement that kept the database's would run outside the transaction
  if (!('client' in session && 'client' in statement)) throw new Error('drizzle no longer has the connection of a statement in `client`')
  return Object.assign(Object.create(Object.getPrototypeOf(statement) as object), statement, { client: session.client }) as Statement
}
