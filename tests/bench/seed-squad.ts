import { randomUUID } from 'node:crypto'
import { TABLE_POSITIONS } from '#contract/constants.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { ASSESSMENT_ID, currentVersionOf } from '#server/content/content.ts'
import type { Database } from '#server/db/database.ts'
import { instances, type StoredResults } from '#server/db/schema/instances.ts'
import { tokenBalances, tokenLedger } from '#server/db/schema/tokens.ts'
import { users } from '#server/db/schema/users.ts'
import { answeredGroups } from '#sandbox/demo-accounts/leaning.ts'
import { score } from '#server/instances/scoring.ts'

const FIRST = ['Élodie', 'Noah', 'Zoë', 'Maya', 'Björn', 'Chloé', 'Anna', 'Lucas', 'Émile', 'Óscar', 'Ines']
const LAST = ['Lindqvist', 'Müller', 'Smith', 'Côté', 'Núñez', 'Okafor', 'Ito', 'Durand', 'D’Arcy', 'Şahin', 'Roy', 'Evans', 'Gagnon']
const STATUSES: InstanceStatus[] = ['COMPLETED', 'ALLOCATED', 'IN_PROGRESS', 'COMPLETED']
const ROWS_AT_ONCE = 500

const pick = <Value>(list: readonly Value[], at: number): Value => list[at % list.length] as Value // never empty

/** A coach with spare tokens and players in every state, written without the API, whose daily limit is less than 2,000 allocations. */
export async function seedCoach(db: Database, email: string, players: number, tokens: number): Promise<string> {
  const now = new Date()
  const coachId = randomUUID()
  const contentVersion = currentVersionOf(ASSESSMENT_ID)
  const results = score(contentVersion, itemsOf(contentVersion))
  await db.insert(users).values({
    id: coachId,
    email,
    emailNormal: email,
    userType: 'coach',
    firstName: 'Alex',
    lastName: 'Bergeron',
    countryId: 'Canada',
    cityId: 'Montréal',
    createdAt: now,
  })
  await db.insert(tokenBalances).values({ coachId, total: tokens, used: players })
  await db.insert(tokenLedger).values({ coachId, kind: 'granted', amount: tokens, at: now })
  for (let from = 0; from < players; from += ROWS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(ROWS_AT_ONCE, players - from) }, (_, at) => from + at)
    const made = numbers.map((at) => ({ at, userId: randomUUID(), id: randomUUID(), address: `p${at}.${coachId.slice(0, 8)}@club.test` }))
    await db.insert(users).values(
      made.map(({ at, userId, address }) => ({
        id: userId,
        email: address,
        emailNormal: address,
        userType: 'player' as const,
        firstName: pick(FIRST, at * 7),
        lastName: `${pick(LAST, at * 5)} ${at}`,
        createdAt: now,
      })),
    )
    await db.insert(instances).values(
      made.map(({ at, userId, id, address }) => {
        const status = pick(STATUSES, at)
        const isDone = status === 'COMPLETED'
        const day = new Date(now.getTime() - (at % 400) * 86_400_000)
        return {
          id,
          assessmentId: ASSESSMENT_ID,
          contentVersion,
          userId,
          email: address,
          emailNormal: address,
          coachId,
          status,
          allocatedAt: day,
          invitedAt: day,
          startedAt: status === 'ALLOCATED' ? null : day,
          completedAt: isDone ? day : null,
          results: isDone ? withStyle(results, pick(['play', 'view', 'plan', 'training'], at)) : null,
          scoringVersion: isDone ? results.scoringVersion : null,
          userTeam: at % 3 === 0 ? null : `U${15 + (at % 5)}`,
          userPositionName: at % 4 === 0 ? null : pick(TABLE_POSITIONS, at),
          userPlayerType: pick(['CURRENT', 'POTENTIAL'], at),
          createdAt: day,
        }
      }),
    )
    await db.insert(tokenLedger).values(made.map(({ id }) => ({ coachId, kind: 'spent' as const, amount: 1, instanceId: id, at: now })))
  }
  return coachId
}

function withStyle(results: StoredResults, value: string): StoredResults {
  return { ...results, Section1: { ...results.Section1, value, styles: [value] } }
}

function itemsOf(contentVersion: string): Record<string, string> {
  const groups = answeredGroups(contentVersion, 1)
  return Object.fromEntries(
    groups.flatMap(({ value }) => Object.entries(value).flatMap(([id, answer]) => (answer === null ? [] : [[id, answer]]))),
  )
}
