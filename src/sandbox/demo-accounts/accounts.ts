import { randomUUID } from 'node:crypto'
import type { Env } from '#server/env.ts'
import { place, player, position, team } from './club.ts'
import type { Database } from '#server/db/database.ts'
import { DEMO_EMAILS } from '#server/db/refuse-demo.ts'
import { users } from '#server/db/schema/users.ts'
import { seedInstance } from './seed-instance.ts'
import { seedSquad } from './seed-squad.ts'

type DemoEmail = (typeof DEMO_EMAILS)[number]

/** The demo accounts, and what each is for. OPERATE-7 */
export const DEMO_ACCOUNTS: Record<DemoEmail, string> = {
  'player@demo.test': 'a player with a complete profile and one assessment to start',
  'player.half@demo.test': 'a player in the middle of the questionnaire',
  'player.done@demo.test': 'a player with results',
  'coach@demo.test': 'a coach with 32 tokens, 20 of them with players in every state',
}

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

/** Creates the demo accounts that do not exist yet, each in one transaction with all that belongs to it. */
export async function seedDemo(db: Database, env: Env, now: Date): Promise<void> {
  for (const email of DEMO_EMAILS) {
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

function shareOf(email: DemoEmail): number {
  if (email === 'player.done@demo.test') return 1
  return email === 'player.half@demo.test' ? 0.5 : 0
}
