import { expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { exportPersonData } from '#server/users/export-store.ts'
import { findUser } from '#server/users/store.ts'
import { ask, signIn } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'

const server = givenServer()

/** Columns by which a row belongs to a person, directly or through what is theirs. */
const NAMING = ['user_id', 'coach_id', 'email', 'email_normal', 'to_normal', 'address_hash', 'instance_id', 'order_id']
/** Tables with such a column, and where they are in the export. */
const EXPORTED: Record<string, string> = {
  users: 'account',
  sessions: 'sessions',
  sign_in_challenges: 'signIns',
  sign_in_counts: 'signInCounts',
  pictures: 'pictures',
  picture_uploads: 'pictureUploads',
  instances: 'assessments',
  answer_groups: 'answers',
  answer_log: 'answerLog',
  paragraph_marks: 'marks',
  mails: 'mails',
  mail_suppressions: 'invitationsStopped',
  bounced_addresses: 'bounced',
  blocked_addresses: 'blocked',
  orders: 'orders',
  refunds: 'refunds',
  token_balances: 'tokenBalance',
  token_ledger: 'tokenLedger',
  allocations: 'allocations',
  audit_entries: 'auditEntries',
  audit_log: 'olderAuditEntries',
}

test('every table with personal data is in the export', async () => {
  const { rows } = await server.deps.db.execute<{ name: string }>(sql`
    select distinct c.table_name as name from information_schema.columns c
      join pg_class on relname = c.table_name and relnamespace = 'public'::regnamespace and not relispartition
    where c.table_schema = 'public' and c.column_name in ${NAMING}`)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(EXPORTED).toSorted())
  const player = await signIn(server, 'exported@club.test')
  const user = await findUser(server.deps.db, player.userId)
  if (!user) throw new Error('no user')
  const data = await exportPersonData(server.deps.db, user)
  for (const name of Object.values(EXPORTED)) expect(Object.keys(data)).toContain(name)
})

test('it contains no address of a player whom a mail to a coach is about', async () => {
  const coach = await signIn(server, 'coach@club.test', 'coach')
  const instanceId = await server.giveInstance(await signIn(server, 'somebody@else.test'))
  await server.deps.db.execute(sql`
    insert into mails (kind, "to", to_normal, instance_id, language, facts, created_at, sent_at)
    values ('token-returned', ${coach.email}, ${coach.email}, ${instanceId}, 'en', ${JSON.stringify({ player: 'somebody@else.test', assessment: 'A' })}, now(), now())`)
  const { status, text } = await ask(server, 'GET', `user/${coach.userId}/export`, { bearer: server.deps.keys.operatorKey })
  expect([status, text.includes('token-returned'), text.includes('somebody@else.test')]).toEqual([200, true, false])
})

test('it contains no secret with which somebody could sign in as the person', async () => {
  const player = await signIn(server, 'secrets@club.test')
  const bearer = server.deps.keys.operatorKey
  const { status, text } = await ask(server, 'GET', `user/${player.userId}/export`, { bearer })
  expect(status).toBe(200)
  const session = (await server.rows('sessions')).find((row) => row['user_id'] === player.userId)
  const challenge = (await server.rows('sign_in_challenges')).find((row) => row['email'] === player.email)
  for (const secret of [session?.['salt'], challenge?.['code_hmac']]) {
    expect(typeof secret).toBe('string')
    expect(text).not.toContain(String(secret))
  }
})
