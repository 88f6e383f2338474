import { and, eq, isNull } from 'drizzle-orm'
import { isId } from '#contract/rules/ids.ts'
import { appendAuditEntry } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { storedLanguage } from '../words/words.ts'
import { lockAddresses } from '../mailer/address-lock-store.ts'
import { cancelMails, languageOfLast } from '../mailer/store.ts'
import { lockMailsAbout, resumeTakenBack } from '../mailer/taken-back-store.ts'
import {
  allocateIn,
  outcomeOrReason,
  AllocationStopped,
  type AllocationOutcome,
  type Allocation,
  type ReplacedInstance,
} from './allocation-store.ts'
import { reclaimRefusal, type ReclaimOutcome } from './reclaim-store.ts'

type Correction = Pick<Allocation, 'id' | 'coachId' | 'email' | 'emailNormal' | 'operationId'> & {
  /** the instance at the wrong address */
  wrongId: string
}
type CorrectionOutcome = AllocationOutcome | { kind: 'not-reclaimed'; why: Exclude<ReclaimOutcome, 'reclaimed'> }

/**
 * Reclaims the instance at a wrong address and allocates one to the right address for the same token, in one transaction; of
 * several at once, one succeeds. Refused once the player has opened it: then the address was right.
 */
export async function correctAddress(db: Database, { wrongId, ...correction }: Correction, now: Date): Promise<CorrectionOutcome> {
  if (!isId(wrongId)) return { kind: 'unknown' }
  return outcomeOrReason<CorrectionOutcome>(() =>
    db.transaction(async (tx) => {
      const isWrong = and(eq(instances.id, wrongId), eq(instances.coachId, correction.coachId))
      const [wrong] = await tx.select().from(instances).where(isWrong)
      if (!wrong) return { kind: 'unknown' }
      // the address it already has
      if (wrong.emailNormal === correction.emailNormal && wrong.status !== 'RECLAIMED') return { kind: 'pending' }
      await lockAddresses(tx, [wrong.emailNormal, correction.emailNormal])
      const last = await languageOfLast(tx, wrongId)
      const language = last === undefined ? undefined : storedLanguage(last)
      return allocateIn(tx, { ...correction, assessmentId: wrong.assessmentId, language }, now, () => takeBack(tx, wrong, now))
    }),
  )
}

async function takeBack(tx: Database, wrong: typeof instances.$inferSelect, now: Date): Promise<ReplacedInstance> {
  const [taken] = await tx
    .update(instances)
    .set({ status: 'RECLAIMED', reclaimedAt: now, playerName: null })
    .where(and(eq(instances.id, wrong.id), eq(instances.status, 'ALLOCATED'), isNull(instances.briefOpenedAt)))
    .returning()
  if (!taken) {
    const [found] = await tx.select({ status: instances.status }).from(instances).where(eq(instances.id, wrong.id))
    throw new AllocationStopped<CorrectionOutcome>({ kind: 'not-reclaimed', why: reclaimRefusal(found?.status) })
  }
  await lockMailsAbout(tx, wrong.id)
  await cancelMails(tx, wrong.id, now)
  await resumeTakenBack(tx, wrong, now)
  await appendAuditEntry(tx, { event: 'reclaimed', userId: wrong.coachId, about: wrong.id }, now)
  const { userTeam, userPositionName, userPlayerType } = taken
  return { id: wrong.id, notes: { playerName: wrong.playerName, userTeam, userPositionName, userPlayerType } }
}
