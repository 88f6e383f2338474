import { eq, getTableColumns, inArray, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../db/database.ts'
import { answerGroups, answerLog } from '../db/schema/answers.ts'
import { auditEntries, auditLog } from '../db/schema/audit.ts'
import { blockedAddresses } from '../db/schema/blocks.ts'
import { allocations, instances } from '../db/schema/instances.ts'
import { bouncedAddresses, mails, mailSuppressions } from '../db/schema/mails.ts'
import { paragraphMarks } from '../db/schema/marks.ts'
import { orders, refunds } from '../db/schema/orders.ts'
import { pictures, pictureUploads } from '../db/schema/pictures.ts'
import { sessions, signInChallenges, signInCounts } from '../db/schema/sign-in.ts'
import { tokenBalances, tokenLedger } from '../db/schema/tokens.ts'
import { users } from '../db/schema/users.ts'
import { addressHash } from '../mailer/unsubscribe-tokens.ts'
import { isOfPerson, type User } from './store.ts'

/** Rows of one kind, by the names of their columns. */
type Rows = Record<string, unknown>[]

/** What proves who somebody is, or seals the log: no data about the person, and dangerous in a file. */
const SECRET = new Set([
  'salt',
  'codeHmac',
  'client',
  'device',
  'contentHash',
  'idempotencyKey',
  'seal',
  'previous',
  'key',
  'refreshCounter',
  'logPosition',
])
/** What is the coach's own data of a player who was allocated an assessment: only that it was allocated. */
const OF_OTHERS = new Set(['id', 'assessmentId', 'status', 'allocatedAt', 'reclaimedAt', 'completedAt', 'resends'])

/** All rows about a person, by what they are. `tests/server/users/export.server.test.ts` knows every table. */
export async function exportPersonData(db: Database, user: User): Promise<Record<string, Rows>> {
  const { id, emailNormal } = user
  return db.transaction(
    async (tx) => {
      const own = tx.select({ id: instances.id }).from(instances).where(isOfPerson(user))
      const ofOwn = (column: PgColumn) => inArray(column, own)
      const ownOrders = tx.select({ id: orders.id }).from(orders).where(eq(orders.userId, id))
      const hash = addressHash(emailNormal)
      const read = (table: PgTable, where: SQL | undefined, isShown = (name: string) => !SECRET.has(name)) =>
        readRows(tx, table, where, isShown)
      return {
        account: await read(users, eq(users.id, id)),
        sessions: await read(sessions, eq(sessions.userId, id)),
        signIns: await read(signInChallenges, eq(signInChallenges.emailNormal, emailNormal)),
        signInCounts: await read(signInCounts, eq(signInCounts.emailNormal, emailNormal)),
        pictures: await read(pictures, eq(pictures.userId, id)),
        pictureUploads: await read(pictureUploads, eq(pictureUploads.userId, id)),
        assessments: await read(instances, ofOwn(instances.id)),
        answers: await read(answerGroups, ofOwn(answerGroups.instanceId)),
        answerLog: await read(answerLog, ofOwn(answerLog.instanceId)),
        marks: await read(paragraphMarks, ofOwn(paragraphMarks.instanceId)),
        mails: (await read(mails, eq(mails.toNormal, emailNormal))).map(withoutOthers),
        invitationsStopped: await read(mailSuppressions, eq(mailSuppressions.addressHash, hash)),
        bounced: await read(bouncedAddresses, eq(bouncedAddresses.addressHash, hash)),
        blocked: await read(blockedAddresses, eq(blockedAddresses.addressHash, hash)),
        orders: await read(orders, eq(orders.userId, id)),
        refunds: await read(refunds, inArray(refunds.orderId, ownOrders)),
        tokenBalance: await read(tokenBalances, eq(tokenBalances.coachId, id)),
        tokenLedger: await read(tokenLedger, eq(tokenLedger.coachId, id)),
        assessmentsGiven: await read(instances, eq(instances.coachId, id), (name) => OF_OTHERS.has(name)),
        allocations: await read(allocations, eq(allocations.coachId, id)),
        auditEntries: await read(auditEntries, eq(auditEntries.userId, id)),
        olderAuditEntries: await read(auditLog, eq(auditLog.userId, id)),
      }
    },
    // one moment
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** A mail to a coach names the player it is about. */
function withoutOthers(mail: Record<string, unknown>): Record<string, unknown> {
  const { player: _other, ...facts } = mail['facts'] as Record<string, string> // its column's type
  return { ...mail, facts }
}

async function readRows(tx: Database, table: PgTable, where: SQL | undefined, isShown: (name: string) => boolean): Promise<Rows> {
  const columns = Object.fromEntries(Object.entries(getTableColumns(table)).filter(([name]) => isShown(name)))
  return tx.select(columns).from(table).where(where)
}
