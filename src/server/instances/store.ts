import { and, asc, eq, ne, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { completionStatusOf, type Answers, type GroupValue, type Section } from '#contract/rules/questionnaire.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { isId, type Database } from '../db/open.ts'
import { answerGroups, assessments, instances, users, type StoredResults } from '../db/schema.ts'

const coaches = alias(users, 'coaches')
const LIST_MAXIMUM = 5000

// items with a value; a stored value is never blank
const answeredCount = sql<number>`(select count(*)::int from ${answerGroups}, jsonb_each(${answerGroups.value}) item
  where ${answerGroups.instanceId} = ${instances.id} and item.value <> 'null'::jsonb)`

function selectInstances(db: Database) {
  return db
    .select({
      instance: instances,
      user: users,
      coach: { firstName: coaches.firstName, lastName: coaches.lastName },
      assessment: { sampleReportFilename: assessments.sampleReportFilename, videoUrls: assessments.videoUrls },
      answeredCount,
    })
    .from(instances)
    .innerJoin(assessments, eq(assessments.id, instances.assessmentId))
    .leftJoin(users, eq(users.id, instances.userId))
    .leftJoin(coaches, eq(coaches.id, instances.coachId))
}

/** An instance with the people and the assessment it belongs to. */
export type InstanceRow = Awaited<ReturnType<typeof selectInstances>>[number]

export interface Owner {
  /** of the instances a player holds, or of those a coach gave away */
  userId?: string
  coachId?: string
}

/** Oldest first. Reclaimed ones left the list (§4) unless they are what is asked for. */
export async function listInstances(db: Database, { userId, coachId }: Owner, status?: InstanceStatus): Promise<InstanceRow[]> {
  const wanted: SQL[] = [status === undefined ? ne(instances.status, 'RECLAIMED') : eq(instances.status, status)]
  if (userId !== undefined) wanted.push(isId(userId) ? eq(instances.userId, userId) : sql`false`)
  if (coachId !== undefined) wanted.push(eq(instances.coachId, coachId))
  return selectInstances(db)
    .where(and(...wanted))
    .orderBy(asc(instances.createdAt), asc(instances.id))
    .limit(LIST_MAXIMUM)
}

/** One instance of this player, or one this coach gave away; undefined for anybody else's. */
export async function findInstance(db: Database, id: string, { userId, coachId }: Owner): Promise<InstanceRow | undefined> {
  if (!isId(id)) return undefined
  const owner = userId === undefined ? coachId !== undefined && eq(instances.coachId, coachId) : eq(instances.userId, userId)
  if (!owner) return undefined
  const [row] = await selectInstances(db).where(and(eq(instances.id, id), owner))
  return row
}

export interface AnswerGroup {
  questionId: string
  value: GroupValue
  revision: number
}

export async function readGroups(db: Database, instanceId: string): Promise<AnswerGroup[]> {
  return db
    .select({ questionId: answerGroups.questionId, value: answerGroups.value, revision: answerGroups.revision })
    .from(answerGroups)
    .where(eq(answerGroups.instanceId, instanceId))
    .orderBy(asc(answerGroups.questionId))
}

export type Completion = 'completed' | 'already' | 'incomplete' | 'reclaimed' | 'unknown'

export interface Completing {
  sectionsOf: (contentVersion: string) => readonly Section[]
  /** by item id → result */
  score: (contentVersion: string, answers: Record<string, string>) => StoredResults
}

/** Completes and scores in one transaction that holds the instance: a save or a reclaim comes before or after, never between. */
export async function completeInstance(db: Database, id: string, userId: string, rules: Completing, now: Date): Promise<Completion> {
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
    if (completionStatusOf(rules.sectionsOf(instance.contentVersion), answers) !== 'COMPLETED') return 'incomplete'
    const results = rules.score(instance.contentVersion, flatten(groups))
    await tx
      .update(instances)
      .set({ status: 'COMPLETED', completedAt: now, results, scoringVersion: results.scoringVersion })
      .where(eq(instances.id, id))
    return 'completed'
  })
}

function flatten(groups: readonly AnswerGroup[]): Record<string, string> {
  const answers: Record<string, string> = {}
  for (const { value } of groups) for (const [item, answer] of Object.entries(value)) if (answer !== null) answers[item] = answer
  return answers
}
