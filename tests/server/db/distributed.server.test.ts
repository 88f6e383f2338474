import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { REVISION_MAXIMUM } from '#contract/constants.ts'
import type { SaveBody } from '#contract/instances.ts'
import { CONTENT_VERSION } from '#tests/server/instances/support.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

/**
 * What a PostgreSQL that spreads its rows over machines (Citus, YugabyteDB, CockroachDB) needs of the calls that come most: opening the
 * questionnaire and saving answers. Each exception is named, with what would have to be done about it; docs/decisions/0057
 */

/** The column that says on which machine a row is. Rows of one kind with the same value are on the same machine. */
const KEYS_BY_KIND: Record<string, Record<string, string>> = {
  instance: { instances: 'id', answer_groups: 'instance_id', answer_log: 'instance_id' },
  account: { users: 'id', sessions: 'user_id' },
  count: { rate_limits: 'key' },
}
const KEYS = Object.assign({}, ...Object.values(KEYS_BY_KIND)) as Record<string, string>
const kindOf = (table: string) => Object.keys(KEYS_BY_KIND).find((kind) => table in (KEYS_BY_KIND[kind] ?? {}))

/** Small and seldom written: every machine has a copy. */
const COPIED = new Set(['assessments'])

/** Unique keys and foreign keys that reach beyond one machine. */
const REACHING_BEYOND: Record<string, string> = {
  instances_order_unique:
    'written when an order is granted; a machine could check only its own, the conditional update of the order decides',
  instances_one_pending: 'checked when a token is allocated: the coach, whose balance is locked then, has to decide',
  instances_user_id_users_id_fk: 'written when an instance is made or attached; to be dropped, no account is ever deleted',
  instances_coach_id_users_id_fk: 'written when an instance is made; to be dropped, no account is ever deleted',
  instances_order_id_orders_id_fk: 'written when an instance is made; to be dropped, no order is ever deleted',
  users_email_normal_unique: 'checked when an account is made; needs a table of addresses whose key is the address',
  sessions_pkey: 'random, so nothing has to compare it; its machine is that of the account',
}

/** Those of them that the first save of an instance touches, because it changes the status. A later one touches none. */
const TOUCHED_BY_FIRST_SAVE = ['instances_one_pending']

/** Statements that find rows without the key. */
const ASKING_EVERYWHERE: Record<string, string> = {
  live_sessions: 'looks sessions up by their id alone; the account is in the access token and would have to be asked for as well',
}

/** Statements that read rows of two kinds, so from two machines at once. */
const JOINING: Record<string, string> = {
  instances_with_groups:
    'reads several instances, and the names of their players and coaches; it would have to be two statements, or accounts copied everywhere',
}

/** Statements that write several instances, of several machines, in one commit. */
const WRITING_TO_SEVERAL = ['write_answers_together']

interface Statement {
  name: string | undefined
  text: string
  values: unknown[]
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Schema?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  Plans?: PlanNode[]
}

/** Called for each statement, by the driver's own method. */
function onStatements(note: (statement: Statement) => void): void {
  const { query } = Client.prototype
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...given: unknown[]) {
    const [asked, values] = given as [string | Partial<Statement>, unknown]
    const { name, text = '', values: own } = typeof asked === 'string' ? { text: asked } : asked
    note({ name, text, values: own ?? (Array.isArray(values) ? values : []) })
    return Reflect.apply(query, this, given) as never
  })
  onTestFinished(() => spy.mockRestore())
}

describe.runIf(engines.includes('postgres'))('the statements for opening the questionnaire and saving', () => {
  let server: TestServer
  let drop: () => Promise<void>
  let beside: Client
  let players: (Person & { instanceId: string })[] = []

  beforeAll(async () => {
    const empty = await emptyDatabase('postgres')
    if (!('url' in empty.location)) throw new Error('no address')
    drop = empty.drop
    // one session, so that what it keeps can be asked for
    server = await startServer({ location: { ...empty.location, connections: 1 } })
    beside = new Client({ connectionString: empty.location.url })
    await beside.connect()
    for (let count = 0; count < 8; count += 1) {
      const person = await signIn(server, `player${count}@club.test`)
      players.push({ ...person, instanceId: await server.giveInstance(person) })
    }
    // as in a large database, where no table is read whole
    await beside.query(
      `insert into instances (id, assessment_id, content_version, email, email_normal, status, created_at)
       select gen_random_uuid(), assessment_id, content_version, '', '', 'OWNED', now() from instances, generate_series(1, 500)`,
    )
    await beside.query(
      `insert into users (id, email, email_normal, user_type, created_at)
       select id, id::text, id::text, 'player', now() from (select gen_random_uuid() as id from generate_series(1, 2000)) as made`,
    )
    await beside.query('analyze; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off')
  })
  afterAll(async () => {
    await beside.end()
    await server.close()
    await drop()
  })

  const path = 'assessment/assessment-instance'
  const open = ({ accessToken: bearer, instanceId }: { accessToken: string; instanceId: string }) =>
    ask(server, 'GET', `${path}/${instanceId}`, { bearer })
  async function save(
    { accessToken: bearer, instanceId }: { accessToken: string; instanceId: string },
    id: string,
    operationId: string = randomUUID(),
  ) {
    const operation = {
      id: operationId,
      device: randomUUID(),
      contentVersion: CONTENT_VERSION,
      groups: [{ questionId: id, base: REVISION_MAXIMUM }],
    }
    const body: SaveBody = { instanceId, responses: [{ sectionName: 'Section2', id, answer: 'A' }], operation }
    const send = () => ask(server, 'POST', `${path}/responses`, { bearer, body })
    expect((await send()).status).toBe(200)
    return send
  }

  /** All that these calls do: first and later saves, a repeated one, several players' at once. */
  async function everyHotCall(): Promise<void> {
    const [one, ...squad] = players
    if (!one) throw new Error('there are no players')
    await open(one)
    await save(one, 's2-q01')
    const again = await save(one, 's2-q02')
    expect((await again()).status).toBe(200)
    for (const question of ['s2-q01', 's2-q02']) await Promise.all(squad.map((each) => save(each, question)))
  }

  async function statementsOf(calls: () => Promise<void>): Promise<Statement[]> {
    const all = new Map<string, Statement>()
    // the job engine works beside the calls, and locks its own tables by advisory locks of a transaction
    onStatements((statement) => /\bjobs\./.test(statement.text) || all.set(statement.text, statement))
    await calls()
    return [...all.values()]
  }

  async function parentOf(table: string): Promise<string> {
    const { rows } = await beside.query<{ parent: string }>(
      'select inhparent::regclass::text as parent from pg_inherits where inhrelid = to_regclass($1)',
      [table],
    )
    return rows[0]?.parent ?? table
  }

  /** The tables that a statement reads and writes, and whether it finds their rows by their key. */
  async function tablesOf({ text, values }: Statement): Promise<{ table: string; isByKey: boolean }[]> {
    const { rows } = await beside.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`explain (verbose, format json) ${text}`, values)
    const tables: { table: string; isByKey: boolean }[] = []
    const look = async (node: PlanNode): Promise<void> => {
      const { 'Node Type': type, 'Relation Name': relation, Schema: schema } = node
      if (relation !== undefined && schema === 'public') {
        const table = await parentOf(relation)
        const condition = [node['Index Cond'], node['Recheck Cond'], node.Filter].join(' ')
        const key = KEYS[table]
        const isByKey = new RegExp(String.raw`[(.]${key} = | = \w+\.${key}\)`).test(condition)
        tables.push({ table, isByKey: type === 'ModifyTable' || isByKey })
      }
      for (const child of node.Plans ?? []) await look(child)
    }
    for (const row of rows) for (const { Plan } of row['QUERY PLAN']) await look(Plan)
    return tables
  }

  const isExplained = ({ text }: Statement) => /^\s*(?:select|insert|update|delete|with)\b/i.test(text)

  test('find every row by the key of its table', async () => {
    const statements = (await statementsOf(everyHotCall)).filter(isExplained)
    const tables = new Set<string>()
    const everywhere = new Set<string>()
    const joining = new Set<string>()
    for (const statement of statements) {
      const name = statement.name ?? statement.text
      const used = (await tablesOf(statement)).filter(({ table }) => !COPIED.has(table))
      for (const { table, isByKey } of used) {
        tables.add(table)
        if (!isByKey) everywhere.add(name)
      }
      if (new Set(used.map(({ table }) => kindOf(table))).size > 1) joining.add(name)
    }
    expect([...tables].toSorted()).toEqual(Object.keys(KEYS).toSorted())
    expect([...everywhere].toSorted()).toEqual(Object.keys(ASKING_EVERYWHERE))
    expect([...joining].toSorted()).toEqual(Object.keys(JOINING))
    expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining([...WRITING_TO_SEVERAL, 'write_answers', 'read_answers']))
  })

  test('change nothing that a unique or foreign key would have to check on another machine', async () => {
    const constraints = await constraintsBeyond()
    expect(constraints.map(({ name }) => name).toSorted()).toEqual(Object.keys(REACHING_BEYOND).toSorted())

    const [, , , , , , , last] = players
    if (!last) throw new Error('there are no players')
    const row = async () => (await server.rows('instances')).find(({ id }) => id === last.instanceId) ?? {}
    const touchedBy = async (call: () => Promise<unknown>) => {
      const before = await row()
      await call()
      const after = await row()
      const changed = Object.keys(after).filter((column) => String(after[column]) !== String(before[column]))
      expect(changed).toContain('revision')
      const isTouched = ({ table, columns }: Constraint) => table === 'instances' && columns.some((column) => changed.includes(column))
      return constraints.filter(isTouched).map(({ name }) => name)
    }
    await server.deps.db.execute(sql`update instances set status = 'OWNED' where id = ${last.instanceId}`)
    expect(await touchedBy(() => save(last, 's2-q03'))).toEqual(TOUCHED_BY_FIRST_SAVE)
    expect(await touchedBy(() => save(last, 's2-q04'))).toEqual([])
  })

  interface Constraint {
    name: string
    table: string
    /** of its key and its condition */
    columns: string[]
  }

  /** Unique keys without the column that says where a row is, and foreign keys to a row that may be elsewhere. */
  async function constraintsBeyond(): Promise<Constraint[]> {
    const { rows: unique } = await beside.query<Constraint & { key: string[] }>(
      `
      select child.relname as name, coalesce(inhparent, indrelid)::regclass::text as table,
             array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey)) as key,
             array(select attname::text from pg_attribute where attrelid = indrelid and (attnum = any(indkey) or attnum in
               (select refobjsubid from pg_depend where objid = indexrelid and refobjid = indrelid))) as columns
        from pg_index join pg_class child on child.oid = indexrelid left join pg_inherits on inhrelid = indrelid
       where indisunique and coalesce(inhparent, indrelid)::regclass::text = any($1)`,
      [Object.keys(KEYS)],
    )
    const { rows: foreign } = await beside.query<Constraint & { to: string; key: string[] }>(
      `
      select conname as name, conrelid::regclass::text as table, confrelid::regclass::text as to,
             array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns,
             array(select attname::text from pg_attribute where attrelid = confrelid and attnum = any(confkey)) as key
        from pg_constraint where contype = 'f' and conparentid = 0 and conrelid::regclass::text = any($1)`,
      [Object.keys(KEYS)],
    )
    const isTogether = ({ table, columns, to, key }: (typeof foreign)[number]) =>
      COPIED.has(to) || (columns.join() === KEYS[table] && key.join() === KEYS[to])
    return [...unique.filter(({ table, key }) => !key.includes(KEYS[table] ?? '')), ...foreign.filter((one) => !isTogether(one))]
  }

  test('leave nothing in the database session, and use no sequence', async () => {
    const sequences = async () =>
      (await beside.query(`select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`)).rows
    const before = await sequences()
    expect(before.length).toBeGreaterThan(0)
    const statements = await statementsOf(everyHotCall)
    expect(await sequences()).toEqual(before)
    // what is over when the call is
    expect(statements.filter(({ text }) => /\b(?:pg_\w*advisory\w*|pg_notify|notify|lock table)\b/i.test(text))).toEqual([])
    const { rows } = await server.deps.db.execute(sql`
      select 'listens to ' || channel as kept from pg_listening_channels() channel
      union all select 'holds the advisory lock ' || objid from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
      union all select 'set ' || name from pg_settings where source = 'session'
      union all select 'has the cursor ' || name from pg_cursors where is_holdable
      union all select 'has temporary tables' where pg_my_temp_schema() <> 0`)
    expect(rows).toEqual([])
  })
})
