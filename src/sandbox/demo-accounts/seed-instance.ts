import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { normalEmail } from '#contract/rules/email.ts'
import { itemIdsOf, RATINGS, type GroupValue, type Question, type Section } from '#contract/rules/questionnaire.ts'
import { currentVersionOf, sectionsOf } from '#server/content/content.ts'
import type { Database } from '#server/db/database.ts'
import { answerGroups, answerLog } from '#server/db/schema/answers.ts'
import { instances } from '#server/db/schema/instances.ts'
import { ASSESSMENT_ID } from '#server/db/seed.ts'
import { score } from '#server/instances/scoring.ts'

/** Creates a player's own instance with the first part of its questions answered; completed and scored if all are. */
export async function seedInstance(
  db: Database,
  { userId, email, shareAnswered }: { userId: string; email: string; shareAnswered: number },
  now: Date,
): Promise<string> {
  const id = randomUUID()
  const contentVersion = currentVersionOf(ASSESSMENT_ID)
  const groups = answeredGroups(sectionsOf(contentVersion, 'en'), shareAnswered)
  const status = groups.length > 0 ? 'IN_PROGRESS' : 'OWNED'
  const startedAt = groups.length > 0 ? now : null
  const revision = groups.length > 0 ? 1 : 0
  const own = { id, assessmentId: ASSESSMENT_ID, contentVersion, userId, email, emailNormal: normalEmail(email) }
  await db.insert(instances).values({ ...own, status, startedAt, revision, createdAt: now })
  if (groups.length === 0) return id
  await db.insert(answerGroups).values(groups.map((group) => ({ ...group, instanceId: id, revision: 1 })))
  await db.insert(answerLog).values(loggedSave(id, groups, shareAnswered === 1, now))
  if (shareAnswered < 1) return id
  const results = score(contentVersion, itemsOf(groups))
  await db
    .update(instances)
    .set({ status: 'COMPLETED', completedAt: now, results, scoringVersion: results.scoringVersion })
    .where(eq(instances.id, id))
  return id
}

/** The save that stored the seeded answers. */
export function loggedSave(
  instanceId: string,
  groups: readonly AnsweredGroup[],
  isWhole: boolean,
  at: Date,
): typeof answerLog.$inferInsert {
  return {
    instanceId,
    operationId: randomUUID(),
    revision: 1,
    completionStatus: isWhole ? 'COMPLETED' : 'IN_PROGRESS',
    groups: groups.map((group) => ({ ...group, revision: 1, base: 0 })),
    superseded: [],
    at,
  }
}

interface AnsweredGroup {
  questionId: string
  value: GroupValue
}

/** Plausible answers to the first `share` of the questions. They depend only on the question's index, which `turn` varies. */
export function answeredGroups(sections: readonly Section[], share: number, turn = (index: number) => index): AnsweredGroup[] {
  const questions = sections.flatMap((section) => section.questions.map((question) => ({ section, question })))
  return questions.slice(0, Math.floor(questions.length * share)).map(({ section, question }, index) => ({
    questionId: question.id,
    value: Object.fromEntries(itemIdsOf(question).map((id, item) => [id, choiceOf(section, question, turn(index), item)])),
  }))
}

function choiceOf(section: Section, question: Question, turn: number, item: number): string {
  if (question.subQuestions.length > 0) return RATINGS[(turn + item) % RATINGS.length] ?? '1'
  const options = question.options.length > 0 ? question.options : section.sectionOptions
  return options[((turn * 7 + 3) % 5) % options.length]?.value ?? '1'
}

export function itemsOf(groups: readonly AnsweredGroup[]): Record<string, string> {
  const answers: Record<string, string> = {}
  for (const { value } of groups) for (const [id, answer] of Object.entries(value)) if (answer !== null) answers[id] = answer
  return answers
}
