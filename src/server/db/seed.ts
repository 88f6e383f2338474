import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { SPORT } from '#contract/constants.ts'
import { itemIdsOf, RATINGS, type GroupValue, type Question, type Section } from '#contract/rules/questionnaire.ts'
import { currentVersionOf, sectionsOf } from '../content/content.ts'
import type { Env } from '../env.ts'
import { score } from '../instances/scoring.ts'
import type { Database } from './open.ts'
import { answerGroups, answerLog, assessments, instances, users } from './schema.ts'

/** The one assessment there is. */
export const ASSESSMENT_ID = 'touchline-profile'

/** What is on offer, from the content and the settings; brought up to date at every start, so a new price needs no SQL. */
export async function seedAssessments(db: Database, env: Env): Promise<void> {
  const row = {
    prices: env.prices,
    sampleReportFilename: 'assessmentSampleReportImpact.pdf',
    videoUrls: env.videos.map((video) =>
      typeof video === 'string' ? video : { url: video.url, ...(video.thumbnail === undefined ? {} : { thumbnail: video.thumbnail }) },
    ),
    contentVersion: currentVersionOf(ASSESSMENT_ID),
  }
  await db
    .insert(assessments)
    .values({ id: ASSESSMENT_ID, ...row })
    .onConflictDoUpdate({ target: assessments.id, set: row })
}

/** The accounts anyone may try the demo with. design.md 8 */
export const DEMO_ACCOUNTS = [
  { email: 'player@demo.test', what: 'a player with a complete profile and one assessment to start' },
  { email: 'player.half@demo.test', what: 'a player in the middle of the questionnaire' },
  { email: 'player.done@demo.test', what: 'a player with results' },
  { email: 'coach@demo.test', what: 'a coach with a complete profile' },
] as const

type DemoEmail = (typeof DEMO_ACCOUNTS)[number]['email']
type UserRow = typeof users.$inferInsert
type DemoUser = Omit<UserRow, 'id' | 'email' | 'emailNormal' | 'userType' | 'createdAt'>

const place = { countryId: 'Canada', cityId: 'Montréal' }
const clubName = 'Touchline FC'
const team = {
  clubType: { id: 'Amateur Club', name: 'Amateur Club' },
  clubName,
  teamName: 'First team',
  country: { id: 'Canada', name: 'Canada' },
  location: { id: 'Montréal', name: 'Montréal' },
  teamGender: 'mixed',
  ageGroup: { id: 'Senior', name: 'Senior' },
}
const player = { ...place, birthDate: '2004-05-01', sport: SPORT, teams: [team] }

const DEMO_USERS: Record<DemoEmail, DemoUser> = {
  'player@demo.test': {
    ...player,
    firstName: 'Noa',
    lastName: 'Tremblay',
    gender: 'female',
    preferredPosition: position('midfield-centre'),
  },
  'player.half@demo.test': { ...player, firstName: 'Sam', lastName: 'Okafor', gender: 'male', preferredPosition: position('defence-left') },
  'player.done@demo.test': {
    ...player,
    firstName: 'Léa',
    lastName: 'Marchand',
    gender: 'female',
    preferredPosition: position('goalkeeper'),
  },
  'coach@demo.test': { ...place, firstName: 'Alex', lastName: 'Bergeron', teams: [team] },
}

// §7: "The position name is set equal to its id"
function position(id: string) {
  return { id, name: id }
}

/** Makes the demo accounts that are not there yet, each with its instance in one transaction; touches none that is. */
export async function seedDemo(db: Database, now: Date): Promise<void> {
  for (const { email } of DEMO_ACCOUNTS) {
    await db.transaction(async (tx) => {
      const userType = email.startsWith('coach') ? 'coach' : 'player'
      const [made] = await tx
        .insert(users)
        .values({ ...DEMO_USERS[email], id: randomUUID(), email, emailNormal: email, userType, createdAt: now })
        .onConflictDoNothing({ target: users.emailNormal })
        .returning({ id: users.id })
      if (!made || userType === 'coach') return
      await seedInstance(tx, { userId: made.id, email, shareAnswered: shareOf(email) }, now)
    })
  }
}

function shareOf(email: DemoEmail): number {
  if (email === 'player.done@demo.test') return 1
  return email === 'player.half@demo.test' ? 0.5 : 0
}

/** An own instance with the first part of its questions answered; completed and scored when that is all of them. */
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
  const own = { id, assessmentId: ASSESSMENT_ID, contentVersion, userId, email, emailNormal: email.normalize('NFKC').toLowerCase() }
  await db.insert(instances).values({ ...own, status, startedAt, revision, createdAt: now })
  if (groups.length === 0) return id
  await db.insert(answerGroups).values(groups.map((group) => ({ ...group, instanceId: id, revision: 1, updatedAt: now })))
  await db.insert(answerLog).values(groups.map((group) => ({ ...group, instanceId: id, revision: 1, base: 0, accepted: true, at: now })))
  if (shareAnswered < 1) return id
  const results = score(contentVersion, itemsOf(groups))
  await db
    .update(instances)
    .set({ status: 'COMPLETED', completedAt: now, results, scoringVersion: results.scoringVersion })
    .where(eq(instances.id, id))
  return id
}

interface AnsweredGroup {
  questionId: string
  value: GroupValue
}

/** Plausible answers, the same ones every time: what a group says depends on its place alone. */
export function answeredGroups(sections: readonly Section[], share: number): AnsweredGroup[] {
  const questions = sections.flatMap((section) => section.questions.map((question) => ({ section, question })))
  return questions.slice(0, Math.floor(questions.length * share)).map(({ section, question }, index) => ({
    questionId: question.id,
    value: Object.fromEntries(itemIdsOf(question).map((id, item) => [id, choiceOf(section, question, index, item)])),
  }))
}

function choiceOf(section: Section, question: Question, index: number, item: number): string {
  if (question.subQuestions.length > 0) return RATINGS[(index + item) % RATINGS.length] ?? '1'
  const options = question.options.length > 0 ? question.options : section.sectionOptions
  return options[((index * 7 + 3) % 5) % options.length]?.value ?? '1'
}

function itemsOf(groups: readonly AnsweredGroup[]): Record<string, string> {
  const answers: Record<string, string> = {}
  for (const { value } of groups) for (const [id, answer] of Object.entries(value)) if (answer !== null) answers[id] = answer
  return answers
}
