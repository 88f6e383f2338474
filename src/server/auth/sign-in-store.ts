import { eq } from 'drizzle-orm'
import { appendAuditEntry } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { users } from '../db/schema/users.ts'
import { attachPending } from '../instances/pending-store.ts'
import { lockAddress } from '../mailer/address-lock-store.ts'
import { queueMail } from '../mailer/store.ts'
import { isBlocked } from './blocks-store.ts'
import { isUnknownDevice } from './count-keys.ts'
import { newDeviceMail } from './notices.ts'
import { openSession, type NewSession } from './sessions-store.ts'
import { consumeCode, type Challenge, type User } from './store.ts'

interface NewPerson {
  id: string
  firstName: string | null
  lastName: string | null
  cityId: string | null
  countryId: string | null
}

interface SignIn {
  /** of a right guess */
  challenge: Challenge
  /** the account to create if there is none */
  person: NewPerson
  session: Omit<NewSession, 'userId'>
}

/** `used`: another request has consumed the code, or a new one has replaced it. */
type Outcome = { kind: 'signed-in'; user: User; isNewDevice: boolean } | { kind: 'used' | 'blocked' | 'closed' | 'other-type' }

/**
 * Signs in with the code that was guessed, in one transaction: code, account, session and the mail to its owner, all or none. The account is
 * created if there is none: of the requested type, with the data a coach entered. Of an existing account only the language is updated
 * (LOGIN-21). Pending instances of the e-mail are attached to a player's account; for a coach's, their tokens are returned. An unknown device
 * is reported to the owner of an existing account.
 */
export async function signIn(db: Database, { challenge, person, session }: SignIn, now: Date): Promise<Outcome> {
  const { emailNormal, email, userType, language } = challenge
  return db.transaction(async (tx) => {
    await lockAddress(tx, emailNormal)
    const [known] = await tx.select().from(users).where(eq(users.emailNormal, emailNormal)).for('update')
    if (!(await consumeCode(tx, challenge, now))) return { kind: 'used' }
    // before an account is created
    if (await isBlocked(tx, emailNormal)) return { kind: 'blocked' }
    if (known?.deactivatedAt) {
      await appendAuditEntry(tx, { event: 'sign-in-failed', userId: known.id, about: challenge.id }, now)
      return { kind: 'closed' }
    }
    const user = known ?? (await createAccount(tx, { ...person, email, emailNormal, userType, language, createdAt: now }))
    await attachPending(tx, user, now)
    if (user.language !== language) await tx.update(users).set({ language }).where(eq(users.id, user.id))
    if (user.userType === 'player' && userType === 'coach') return { kind: 'other-type' }
    const owner = { ...user, language }
    const isNewDevice = known !== undefined && isUnknownDevice(challenge.device)
    if (isNewDevice) await queueMail(tx, newDeviceMail(owner, session.agent, now), now)
    await openSession(tx, { ...session, userId: user.id }, now)
    if (isNewDevice) await appendAuditEntry(tx, { event: 'new-device', userId: user.id, about: session.id }, now)
    return { kind: 'signed-in', user: owner, isNewDevice }
  })
}

async function createAccount(tx: Database, account: typeof users.$inferInsert): Promise<User> {
  const [made] = await tx.insert(users).values(account).returning()
  if (!made) throw new Error('an account was not created')
  return made
}
