import type { Database } from './database.ts'

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
export function prepared<Statement>(
  name: string,
  build: (db: Database) => { prepare: (name: string) => Statement },
): (db: Database) => Statement {
  if (names.has(name)) throw new Error(`there are two prepared statements named ${name}`)
  names.add(name)
  const statements = new WeakMap<Database, Statement>()
  return (db) => {
    const existing = statements.get(db)
    if (existing !== undefined) return existing
    const statement = build(db).prepare(name)
    statements.set(db, statement)
    return statement
  }
}
