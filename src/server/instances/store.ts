import { and, asc, eq, inArray, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { completionStatusOf, isAnswered, type Answers, type GroupValue, type Section } from '#contract/rules/questionnaire.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { isId } from '#contract/rules/ids.ts'
import { arrayLiteral } from '../db/array-literal.ts'
import { inBatches } from '../db/batch.ts'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { answerGroups } from '../db/schema/answers.ts'
import { assessments } from '../db/schema/assessments.ts'
import { instances, type StoredResults } from '../db/schema/instances.ts'
import { users } from '../db/schema/users.ts'
import { cancelMails } from '../mailer/store.ts'

const coaches = alias(users, 'coaches')
const LIST_MAXIMUM = 5000

// items with a value; a stored value is never blank
const answeredCount = sql<number>`(select count(*)::int from ${answerGroups}, jsonb_each(${answerGroups.value}) item
  where ${answerGroups.instanceId} = ${instances.id} and item.value <> 'null'::jsonb)`

const instanceFields = {
  instance: instances,
  user: users,
  coach: {
    id: coaches.id,
    firstName: coaches.firstName,
    lastName: coaches.lastName,
    deactivatedAt: coaches.deactivatedAt,
    erasedAt: coaches.erasedAt,
  },
  assessment: { sampleReportFilename: assessments.sampleReportFilename, videoUrls: assessments.videoUrls, words: assessments.words },
  answeredCount,
}

function selectInstances(db: Database) {
  return db
    .select(instanceFields)
    .from(instances)
    .innerJoin(assessments, eq(assessments.id, instances.assessmentId))
    .leftJoin(users, eq(users.id, instances.userId))
    .leftJoin(coaches, eq(coaches.id, instances.coachId))
}

/** An instance with the people and the assessment it belongs to. */
export type InstanceRow = Awaited<ReturnType<typeof selectInstances>>[number]

/**
 * What the team table shows of an instance and no more, so that it is fast for a coach of thousands: answers are counted only
 * while the assessment is in progress, and of the results only the style and the type are read.
 */
function selectAllocated(db: Database) {
  return db
    .select({
      instance: {
        id: instances.id,
        assessmentId: instances.assessmentId,
        contentVersion: instances.contentVersion,
        userId: instances.userId,
        email: instances.email,
        status: instances.status,
        completedAt: instances.completedAt,
        allocatedAt: instances.allocatedAt,
        playerName: instances.playerName,
        userTeam: instances.userTeam,
        userPositionName: instances.userPositionName,
        userPlayerType: instances.userPlayerType,
        resultSeenAt: instances.resultSeenAt,
        briefOpenedAt: instances.briefOpenedAt,
        invitation: instances.invitation,
        heldUntil: instances.heldUntil,
        bouncedAt: instances.bouncedAt,
        bouncedWhy: instances.bouncedWhy,
      },
      user: {
        // first: drizzle takes a row whose first column is null for one that is not there
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        sport: users.sport,
        preferredPosition: users.preferredPosition,
        teams: users.teams,
        hasProfilePicture: users.hasProfilePicture,
        deactivatedAt: users.deactivatedAt,
      },
      coach: { firstName: coaches.firstName, lastName: coaches.lastName },
      assessment: { sampleReportFilename: assessments.sampleReportFilename, words: assessments.words },
      answeredCount: sql<number>`case when ${instances.status} = 'IN_PROGRESS' then ${answeredCount} else 0 end`,
      result: {
        Section1: sql<StoredResults['Section1'] | null>`${instances.results} -> 'Section1'`,
        section2: sql<StoredResults['section2'] | null>`${instances.results} -> 'section2'`,
      },
    })
    .from(instances)
    .innerJoin(assessments, eq(assessments.id, instances.assessmentId))
    .leftJoin(users, eq(users.id, instances.userId))
    .leftJoin(coaches, eq(coaches.id, instances.coachId))
}

/** An instance as the coach who allocated it sees it. */
export type AllocatedRow = Awaited<ReturnType<typeof selectAllocated>>[number]

const { placeholder } = sql
const isNotReclaimed = ne(instances.status, 'RECLAIMED')

const allocated = prepared('allocated', (db) => pageOfAllocated(db, eq(instances.coachId, placeholder('coachId'))))
const allocatedInStatus = prepared('allocated_in_status', (db) =>
  pageOfAllocated(db, and(eq(instances.coachId, placeholder('coachId')), eq(instances.status, placeholder('status')))),
)

function pageOfAllocated(db: Database, wanted: SQL | undefined) {
  return selectAllocated(db)
    .where(and(wanted, isNotReclaimed))
    .orderBy(asc(instances.allocatedAt), asc(instances.id))
    .limit(placeholder('limit'))
    .offset(placeholder('offset'))
}

/** Everything this coach allocated and did not reclaim, oldest first; all of it, or a page. */
export async function listAllocated(
  db: Database,
  coachId: string,
  { status, page = 1, limit }: Pick<InstanceFilter, 'status' | 'page' | 'limit'> = {},
): Promise<AllocatedRow[]> {
  const part = { coachId, limit: limit ?? null, offset: (page - 1) * (limit ?? 0) }
  return status === undefined ? allocated(db).execute(part) : allocatedInStatus(db).execute({ ...part, status })
}

/** One instance that this coach allocated, whatever its status. */
export async function findAllocated(db: Database, coachId: string, id: string): Promise<AllocatedRow | undefined> {
  const [row] = await selectAllocated(db).where(and(eq(instances.id, id), eq(instances.coachId, coachId)))
  return row
}

/**
 * Whether the coach may see who the player is: the player has opened the brief, which explains that (BRIEF-6), or has started to
 * answer, and it has not been reclaimed.
 */
export function isPlayerShown({ status, briefOpenedAt }: Pick<typeof instances.$inferSelect, 'status' | 'briefOpenedAt'>): boolean {
  return status === 'ALLOCATED' ? briefOpenedAt !== null : status === 'IN_PROGRESS' || status === 'COMPLETED'
}

/** `isPlayerShown` in SQL. */
export const isPlayerShownInSql = or(
  inArray(instances.status, ['IN_PROGRESS', 'COMPLETED']),
  and(eq(instances.status, 'ALLOCATED'), isNotNull(instances.briefOpenedAt)),
)

/** Stores when the brief was first opened; false if this player has no instance of that id. */
export async function noteBriefOpened(db: Database, id: string, userId: string, now: Date): Promise<boolean> {
  if (!isId(id)) return false
  const noted = await db
    .update(instances)
    .set({ briefOpenedAt: sql`coalesce(${instances.briefOpenedAt}, ${now.toISOString()}::timestamptz)` })
    .where(and(eq(instances.id, id), eq(instances.userId, userId)))
    .returning({ id: instances.id })
  return noted.length === 1
}

/** Whether this user has the instance, and their account is not closed. */
export async function isOwnerOpen(db: Database, id: string, userId: string): Promise<boolean> {
  if (!isId(id) || !isId(userId)) return false
  const rows = await db
    .select({ id: instances.id })
    .from(instances)
    .innerJoin(users, and(eq(users.id, instances.userId), isNull(users.deactivatedAt)))
    .where(and(eq(instances.id, id), eq(instances.userId, userId)))
  return rows.length === 1
}

export interface WhoseInstances {
  /** the instances of this player */
  userId?: string
  /** the instances that this coach allocated */
  coachId?: string
}

interface InstanceFilter {
  status?: InstanceStatus | undefined
  assessmentId?: string | undefined
  page?: number | undefined
  limit?: number | undefined
}

// what every player's dashboard asks for
const instancesOfPlayer = prepared('instances_of_player', (db) =>
  selectInstances(db)
    .where(and(eq(instances.userId, placeholder('userId')), isNotReclaimed))
    .orderBy(asc(instances.createdAt), asc(instances.id))
    .limit(LIST_MAXIMUM),
)

/** Oldest first. Reclaimed ones are listed only if asked for (API-28). */
export async function listInstances(
  db: Database,
  { userId, coachId }: WhoseInstances,
  filter: InstanceFilter = {},
): Promise<InstanceRow[]> {
  const { status, assessmentId, page = 1, limit = LIST_MAXIMUM } = filter
  const isPlain = status === undefined && assessmentId === undefined && page === 1 && limit === LIST_MAXIMUM
  if (isPlain && coachId === undefined && userId !== undefined) return isId(userId) ? instancesOfPlayer(db).execute({ userId }) : []
  const wanted: SQL[] = [status === undefined ? isNotReclaimed : eq(instances.status, status)]
  if (assessmentId !== undefined) wanted.push(eq(instances.assessmentId, assessmentId))
  if (userId !== undefined) wanted.push(isId(userId) ? eq(instances.userId, userId) : sql`false`)
  if (coachId !== undefined) wanted.push(eq(instances.coachId, coachId))
  return selectInstances(db)
    .where(and(...wanted))
    .orderBy(asc(instances.createdAt), asc(instances.id))
    .limit(limit)
    .offset((page - 1) * limit)
}

const instanceOfPlayer = prepared('instance_of_player', (db) =>
  selectInstances(db).where(and(eq(instances.id, placeholder('id')), eq(instances.userId, placeholder('userId')))),
)
const instanceOfCoach = prepared('instance_of_coach', (db) =>
  selectInstances(db).where(and(eq(instances.id, placeholder('id')), eq(instances.coachId, placeholder('coachId')))),
)

/** One instance of this player, or one this coach allocated; undefined for anybody else's. */
export async function findInstance(db: Database, id: string, { userId, coachId }: WhoseInstances): Promise<InstanceRow | undefined> {
  if (!isId(id)) return undefined
  if (userId !== undefined) return (await instanceOfPlayer(db).execute({ id, userId }))[0]
  return coachId === undefined ? undefined : (await instanceOfCoach(db).execute({ id, coachId }))[0]
}

const instancesWithGroups = prepared('instances_with_groups', (db) => {
  const { answeredCount: _, ...fields } = instanceFields
  return db
    .select({
      ...fields,
      groups: sql<AnswerGroup[]>`(select coalesce(json_agg(json_build_object('questionId', ${answerGroups.questionId},
          'value', ${answerGroups.value}, 'revision', ${answerGroups.revision}) order by ${answerGroups.questionId}), '[]'::json)
        from ${answerGroups} where ${answerGroups.instanceId} = ${instances.id})`,
    })
    .from(instances)
    .innerJoin(assessments, eq(assessments.id, instances.assessmentId))
    .leftJoin(users, eq(users.id, instances.userId))
    .leftJoin(coaches, eq(coaches.id, instances.coachId))
    .where(sql`${instances.id} = any(${placeholder('ids')}::uuid[])`)
})

type InstanceWithGroups = InstanceRow & { groups: AnswerGroup[] }

// a squad opens its questionnaires together, so concurrent reads are batched
const withGroups = inBatches(async (db, asked: readonly { id: string; userId: string }[]) => {
  const rows = await instancesWithGroups(db).execute({ ids: arrayLiteral(asked.map(({ id }) => id)) })
  const found = new Map(rows.map((row) => [row.instance.id, row]))
  return asked.map(({ id, userId }): InstanceWithGroups | undefined => {
    // as the database spells it: a client may send it in capitals
    const row = found.get(id.toLowerCase())
    return row?.instance.userId === userId ? { ...row, answeredCount: answeredIn(row.groups) } : undefined
  })
})

function answeredIn(groups: readonly AnswerGroup[]): number {
  return groups.reduce((count, { value }) => count + Object.values(value).filter(isAnswered).length, 0)
}

/** An instance of this player with its answers, in one snapshot: its revision is that of the answers. */
export async function findInstanceWithGroups(db: Database, id: string, userId: string): Promise<InstanceWithGroups | undefined> {
  return isId(id) ? withGroups(db, { id, userId }) : undefined
}

type GrantOutcome = { kind: 'granted' } | { kind: 'coach' } | { kind: 'unknown' }

/** Creates an OWNED instance for a player, pinned to the current content version (ANSWERS-15). */
export async function grantInstance(
  db: Database,
  grant: { id: string; userId: string; assessmentId: string },
  now: Date,
): Promise<GrantOutcome> {
  if (!isId(grant.userId)) return { kind: 'unknown' }
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({ user: users, contentVersion: assessments.contentVersion })
      .from(users)
      .innerJoin(assessments, eq(assessments.id, grant.assessmentId))
      .where(and(eq(users.id, grant.userId), isNull(users.deactivatedAt)))
      // an erasure is then over, or erases this too
      .for('key share', { of: users })
    if (!found) return { kind: 'unknown' }
    const { user, contentVersion } = found
    if (user.userType === 'coach') return { kind: 'coach' }
    const { email, emailNormal } = user
    await tx.insert(instances).values({ ...grant, contentVersion, email, emailNormal, status: 'OWNED', createdAt: now })
    return { kind: 'granted' }
  })
}

type InstanceNote = Partial<Pick<typeof instances.$inferInsert, 'userTeam' | 'userPositionName' | 'userPlayerType'>>

/** Stores a coach's notes on an instance they allocated; anybody else's stays as it is. */
export async function storeNotes(db: Database, id: string, coachId: string, note: InstanceNote): Promise<void> {
  if (Object.keys(note).length === 0) return
  await db
    .update(instances)
    .set(note)
    .where(and(eq(instances.id, id), eq(instances.coachId, coachId)))
}

export interface AnswerGroup {
  questionId: string
  value: GroupValue
  revision: number
}

async function readGroups(db: Database, instanceId: string): Promise<AnswerGroup[]> {
  return db
    .select({ questionId: answerGroups.questionId, value: answerGroups.value, revision: answerGroups.revision })
    .from(answerGroups)
    .where(eq(answerGroups.instanceId, instanceId))
    .orderBy(asc(answerGroups.questionId))
}

type Completion = 'completed' | 'already' | 'incomplete' | 'reclaimed' | 'unknown'

interface CompletionRules {
  sectionsOf: (contentVersion: string) => readonly Section[]
  /** by item id → result */
  score: (contentVersion: string, answers: Record<string, string>) => StoredResults
}

/** Completes and scores in one transaction that locks the instance: a save or a reclaim comes before or after, never between. */
export async function completeInstance(db: Database, id: string, userId: string, rules: CompletionRules, now: Date): Promise<Completion> {
  if (!isId(id)) return 'unknown'
  return db.transaction(async (tx) => {
    const [instance] = await tx
      .select()
      .from(instances)
      .where(and(eq(instances.id, id), eq(instances.userId, userId)))
      .for('update')
    if (!instance) return 'unknown'
    if (instance.status === 'COMPLETED') return 'already'
    if (instance.status === 'RECLAIMED') return 'reclaimed'
    const groups = await readGroups(tx, id)
    const answers: Answers = Object.fromEntries(groups.map((group) => [group.questionId, group.value]))
    if (completionStatusOf(rules.sectionsOf(instance.contentVersion), (id) => answers[id]) !== 'COMPLETED') return 'incomplete'
    const results = rules.score(instance.contentVersion, flatten(groups))
    await tx
      .update(instances)
      .set({ status: 'COMPLETED', completedAt: now, results, scoringVersion: results.scoringVersion })
      .where(eq(instances.id, id))
    // an invitation that comes now would be untrue
    await cancelMails(tx, id, now)
    return 'completed'
  })
}

function flatten(groups: readonly AnswerGroup[]): Record<string, string> {
  const answers: Record<string, string> = {}
  for (const { value } of groups) for (const [item, answer] of Object.entries(value)) if (answer !== null) answers[item] = answer
  return answers
}
