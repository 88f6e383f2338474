import { and, desc, eq, gt, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import type { BounceReason } from '#contract/rules/statuses.ts'
import { isId } from '#contract/rules/ids.ts'
import { daysBefore } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { bouncedAddresses, mails } from '../db/schema/mails.ts'
import { isLastInvitation } from './last-invitation-store.ts'
import { addressHash } from './unsubscribe-tokens.ts'

/** Mails that came back after the mail server had accepted them, and the addresses that nobody has. Decision 0058 */

/** How long a bounce is believed: as long as mails are stored, since somebody may get the address meanwhile. */
const BELIEVED_DAYS = 30

interface MailBounce {
  why: BounceReason
  /** of the mail server that refused it, such as `550 5.1.1` */
  code: string
}

/** The first report about a mail counts. False: no such mail. */
export async function markBounced(db: Database, mailId: string, { why, code }: MailBounce, now: Date): Promise<boolean> {
  if (!isId(mailId)) return false
  return db.transaction(async (tx) => {
    const [mail] = await tx.select().from(mails).where(eq(mails.id, mailId))
    if (!mail || mail.toNormal === '') return false
    const { instanceId } = mail
    // the instance before its mails, the order of locks in a reclaim and a reminder, which is then seen below
    if (mail.kind === 'invitation' && instanceId !== null) {
      await tx.select({ id: instances.id }).from(instances).where(eq(instances.id, instanceId)).for('update')
      // 'waiting': the report arrived before we recorded that the mail was sent
      const isOfThisMail = and(
        inArray(instances.invitation, ['waiting', 'sent']),
        isLastInvitation(tx, { instanceId, createdAt: mail.createdAt }),
      )
      await tx
        .update(instances)
        .set({ invitation: why === 'unknown-address' ? 'refused' : 'given-up', bouncedAt: now, bouncedWhy: why, heldUntil: null })
        .where(and(eq(instances.id, instanceId), isOfThisMail))
    }
    const marked = await tx
      .update(mails)
      .set({ bouncedAt: now, bouncedWhy: why, bouncedCode: code })
      .where(and(eq(mails.id, mailId), isNull(mails.bouncedAt)))
      .returning({ id: mails.id })
    if (marked.length > 0 && why === 'unknown-address')
      await tx
        .insert(bouncedAddresses)
        .values({ addressHash: addressHash(mail.toNormal), at: now })
        .onConflictDoUpdate({ target: bouncedAddresses.addressHash, set: { at: now } })
    return true
  })
}

/** When mail to this address last came back because nobody has it; null if it did not in the last 30 days. */
export async function whenBounced(db: Database, emailNormal: string, now: Date): Promise<Date | null> {
  const isRecent = gt(bouncedAddresses.at, daysBefore(now, BELIEVED_DAYS))
  const [found] = await db
    .select({ at: bouncedAddresses.at })
    .from(bouncedAddresses)
    .where(and(eq(bouncedAddresses.addressHash, addressHash(emailNormal)), isRecent))
  return found?.at ?? null
}

/** Mail may go to this address again. */
export async function forgetBounce(db: Database, emailNormal: string): Promise<void> {
  await db.delete(bouncedAddresses).where(eq(bouncedAddresses.addressHash, addressHash(emailNormal)))
}

export async function deleteOldBounces(db: Database, now: Date): Promise<void> {
  await db.delete(bouncedAddresses).where(lt(bouncedAddresses.at, daysBefore(now, BELIEVED_DAYS)))
}

const { id, kind, instanceId, sentAt, bouncedAt, bouncedWhy, bouncedCode } = mails

export type BouncedMail = Awaited<ReturnType<typeof pageOfBounces>>['rows'][number]

/** Newest first. */
export async function pageOfBounces(db: Database, { page, limit }: { page: number; limit: number }) {
  const isBounced = isNotNull(bouncedAt)
  const rows = await db
    .select({ id, kind, instanceId, sentAt, bouncedAt, bouncedWhy, bouncedCode })
    .from(mails)
    .where(isBounced)
    .orderBy(desc(bouncedAt), desc(id))
    .limit(limit)
    .offset((page - 1) * limit)
  return { rows, total: await db.$count(mails, isBounced) }
}
