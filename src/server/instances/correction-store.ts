import { and, eq, isNull } from 'drizzle-orm'
import { note } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { isId } from '../db/open.ts'
import { instances } from '../db/schema/instances.ts'
import { storedLanguage } from '../words/words.ts'
import { cancelMails, languageOfLast } from '../mailer/store.ts'
import { allocateIn, orWhyNot, Stopped, type Allocation, type Gift, type Replaced } from './allocation-store.ts'
import { whyNotReclaimed, type Reclaiming } from './reclaim-store.ts'

export type Correction = Pick<Gift, 'id' | 'coachId' | 'email' | 'emailNormal' | 'operationId'> & {
  /** what was given to the wrong address */
  wrongId: string
}
export type Correcting = Allocation | { kind: 'not-taken-back'; why: Exclude<Reclaiming, 'reclaimed'> }

/**
 * Takes back what went to a wrong address and gives it to the right one, for the same token, in one transaction. Of many
 * at once one does it. Not once its player has opened it: then the address was right.
 */
export async function correctAddress(db: Database, { wrongId, ...correction }: Correction, now: Date): Promise<Correcting> {
  if (!isId(wrongId)) return { kind: 'unknown' }
  return orWhyNot<Correcting>(() =>
    db.transaction(async (tx) => {
      const isWrong = and(eq(instances.id, wrongId), eq(instances.coachId, correction.coachId))
      const [wrong] = await tx.select().from(instances).where(isWrong)
      if (!wrong) return { kind: 'unknown' }
      // the very address it is at
      if (wrong.emailNormal === correction.emailNormal && wrong.status !== 'RECLAIMED') return { kind: 'pending' }
      const last = await languageOfLast(tx, wrongId)
      const language = last === undefined ? undefined : storedLanguage(last)
      return allocateIn(tx, { ...correction, assessmentId: wrong.assessmentId, language }, now, () => takeBack(tx, wrong, now))
    }),
  )
}

async function takeBack(tx: Database, wrong: typeof instances.$inferSelect, now: Date): Promise<Replaced> {
  const [taken] = await tx
    .update(instances)
    .set({ status: 'RECLAIMED', reclaimedAt: now, playerName: null })
    .where(and(eq(instances.id, wrong.id), eq(instances.status, 'ALLOCATED'), isNull(instances.briefOpenedAt)))
    .returning()
  if (!taken) {
    const [found] = await tx.select({ status: instances.status }).from(instances).where(eq(instances.id, wrong.id))
    throw new Stopped<Correcting>({ kind: 'not-taken-back', why: whyNotReclaimed(found?.status) })
  }
  await cancelMails(tx, wrong.id, now)
  await note(tx, { event: 'reclaimed', userId: wrong.coachId, about: wrong.id }, now)
  const { userTeam, userPositionName, userPlayerType } = taken
  return { id: wrong.id, notes: { playerName: wrong.playerName, userTeam, userPositionName, userPlayerType } }
}
