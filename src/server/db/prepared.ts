import type { Database } from './database.ts'

const names = new Set<string>()

/**
 * A query that runs often: put into words once per database, and parsed by it once per connection under a name of its
 * own. The name is only asked for here: whether it is sent decides `postgres.ts`, because behind a pooler
 * the next transaction may meet a connection that never heard of it.
 *
 *     const livingUser = prepared('living_user', (db) => db.select()….where(eq(users.id, sql.placeholder('id'))))
 *     const [row] = await livingUser(db).execute({ id })
 *
 * @param name of the statement, as no other is called
 */
export function prepared<Statement>(
  name: string,
  build: (db: Database) => { prepare: (name: string) => Statement },
): (db: Database) => Statement {
  if (names.has(name)) throw new Error(`two statements are called ${name}`)
  names.add(name)
  const made = new WeakMap<Database, Statement>()
  return (db) => {
    const known = made.get(db)
    if (known !== undefined) return known
    const statement = build(db).prepare(name)
    made.set(db, statement)
    return statement
  }
}
