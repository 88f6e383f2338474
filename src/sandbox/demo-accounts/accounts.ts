import { randomUUID } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import type { Env } from '#server/env.ts'
import { place, player, position, team } from './club.ts'
import type { Database } from '#server/db/open.ts'
import { users } from '#server/db/schema.ts'
import { seedInstance } from '#server/db/seed.ts'
import { seedSquad } from './seed-squad.ts'

/** The accounts anyone may try the demo with. OPERATE-7 */
export const DEMO_ACCOUNTS = [
  { email: 'player@demo.test', what: 'a player with a complete profile and one assessment to start' },
  { email: 'player.half@demo.test', what: 'a player in the middle of the questionnaire' },
  { email: 'player.done@demo.test', what: 'a player with results' },
  { email: 'coach@demo.test', what: 'a coach with 32 tokens, 20 of them with players in every state' },
] as const

type DemoEmail = (typeof DEMO_ACCOUNTS)[number]['email']
type UserRow = typeof users.$inferInsert
type DemoUser = Omit<UserRow, 'id' | 'email' | 'emailNormal' | 'userType' | 'createdAt'>

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

/** Makes the demo accounts that are not there yet, each with what is its own in one transaction; touches none that is. */
export async function seedDemo(db: Database, env: Env, now: Date): Promise<void> {
  for (const { email } of DEMO_ACCOUNTS) {
    await db.transaction(async (tx) => {
      const userType = email.startsWith('coach') ? 'coach' : 'player'
      const [made] = await tx
        .insert(users)
        .values({ ...DEMO_USERS[email], id: randomUUID(), email, emailNormal: email, userType, createdAt: now })
        .onConflictDoNothing({ target: users.emailNormal })
        .returning({ id: users.id })
      if (!made) return
      if (userType === 'coach') await seedSquad(tx, made.id, env, now)
      else await seedInstance(tx, { userId: made.id, email, shareAnswered: shareOf(email) }, now)
    })
  }
}

/** Throws where these accounts are: production on a demo's database would sell beside what nobody paid for. */
export async function refuseDemo(db: Database): Promise<void> {
  const emails = DEMO_ACCOUNTS.map(({ email }): string => email)
  const found = await db.select({ email: users.email }).from(users).where(inArray(users.emailNormal, emails))
  if (found.length === 0) return
  const names = found.map(({ email }) => email).join(', ')
  throw new Error(
    `DATABASE_URL is the database of a demo: it has the accounts ${names}, their invented players, and tokens that nobody paid for. ` +
      'Make an empty database for production and name it in DATABASE_URL.',
  )
}

function shareOf(email: DemoEmail): number {
  if (email === 'player.done@demo.test') return 1
  return email === 'player.half@demo.test' ? 0.5 : 0
}
