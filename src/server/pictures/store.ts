import { and, eq, exists, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isId } from '#contract/rules/ids.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { pictures, pictureUploads } from '../db/schema/pictures.ts'
import { users } from '../db/schema/users.ts'
import { isPlayerShownInSql } from '../instances/store.ts'

/** Pictures and uploads. Whatever may happen only once is a single conditional statement. */

const viewers = alias(users, 'viewers')

type PictureUpload = typeof pictureUploads.$inferSelect
type NewPicture = Omit<typeof pictures.$inferInsert, 'retiredAt'>

export async function addUpload(db: Database, upload: Pick<PictureUpload, 'key' | 'userId' | 'contentType' | 'createdAt' | 'expiresAt'>) {
  await db.insert(pictureUploads).values(upload)
}

/** An upload that has neither been used nor expired. */
export async function findLiveUpload(db: Database, key: string, now: Date): Promise<PictureUpload | undefined> {
  const [upload] = await db
    .select()
    .from(pictureUploads)
    .where(and(eq(pictureUploads.key, key), isNull(pictureUploads.usedAt), gt(pictureUploads.expiresAt, now)))
  return upload
}

/** True for the first call only: each upload URL accepts one file. */
export async function beginReceiving(db: Database, key: string, now: Date): Promise<boolean> {
  const begun = await db
    .update(pictureUploads)
    .set({ receivedAt: now })
    .where(
      and(eq(pictureUploads.key, key), isNull(pictureUploads.receivedAt), isNull(pictureUploads.usedAt), gt(pictureUploads.expiresAt, now)),
    )
    .returning({ key: pictureUploads.key })
  return begun.length === 1
}

/** True for the first call only, and only for the upload's owner (SECURITY-9). */
export async function claimUpload(db: Database, key: string, userId: string, now: Date): Promise<boolean> {
  const taken = await db
    .update(pictureUploads)
    .set({ usedAt: now })
    .where(
      and(eq(pictureUploads.key, key), eq(pictureUploads.userId, userId), isNull(pictureUploads.usedAt), gt(pictureUploads.expiresAt, now)),
    )
    .returning({ key: pictureUploads.key })
  return taken.length === 1
}

/** Reverses `claimUpload` after a failure on our side, so that the same upload can be tried again. */
export async function releaseUpload(db: Database, key: string): Promise<void> {
  await db.update(pictureUploads).set({ usedAt: null }).where(eq(pictureUploads.key, key))
}

/** Makes this the user's only picture; resolves to the files of earlier ones. Undefined: the account was erased meanwhile. */
export async function addPicture(db: Database, picture: NewPicture): Promise<string[] | undefined> {
  return db.transaction(async (tx) => {
    // serialises concurrent calls for one user
    const account = tx.select({ id: users.id }).from(users)
    const [user] = await account.where(and(eq(users.id, picture.userId), isNull(users.erasedAt))).for('update')
    if (!user) return undefined
    const retired = await retirePicture(tx, picture.userId, picture.createdAt)
    await tx.insert(pictures).values(picture)
    return retired
  })
}

/** The user has no picture from now on; the file is removed by the next sweep. */
export async function retirePicture(db: Database, userId: string, now: Date): Promise<string[]> {
  const retired = await db
    .update(pictures)
    .set({ retiredAt: now })
    .where(and(eq(pictures.userId, userId), isNull(pictures.retiredAt)))
    .returning({ file: pictures.file })
  return retired.map(({ file }) => file)
}

/** The file of the user's current picture. */
export async function findPictureFile(db: Database, userId: string): Promise<string | undefined> {
  if (!isId(userId)) return undefined
  const [picture] = await db
    .select({ file: pictures.file })
    .from(pictures)
    .where(and(eq(pictures.userId, userId), isNull(pictures.retiredAt)))
  return picture?.file
}

/** Whether a file is somebody's current picture. */
export async function isPictureFile(db: Database, file: string): Promise<boolean> {
  const found = await db
    .select({ id: pictures.id })
    .from(pictures)
    .where(and(eq(pictures.file, file), isNull(pictures.retiredAt)))
  return found.length === 1
}

/** Whether this user may see a file now: it is a current picture, their own or that of a player of theirs, and both accounts are open. */
export async function maySeeFile(db: Database, file: string, viewerId: string): Promise<boolean> {
  if (!isId(viewerId)) return false
  const isShown = exists(
    db
      .select({ id: instances.id })
      .from(instances)
      .where(and(eq(instances.userId, pictures.userId), eq(instances.coachId, viewerId), isPlayerShownInSql)),
  )
  const found = await db
    .select({ id: pictures.id })
    .from(pictures)
    .innerJoin(users, and(eq(users.id, pictures.userId), isNull(users.deactivatedAt)))
    .innerJoin(viewers, and(eq(viewers.id, viewerId), isNull(viewers.deactivatedAt)))
    .where(and(eq(pictures.file, file), isNull(pictures.retiredAt), or(eq(pictures.userId, viewerId), isShown)))
  return found.length === 1
}

/** Whether this coach sees who this player is, and the account is open (API-34). */
export async function isPlayerOfCoach(db: Database, userId: string, coachId: string): Promise<boolean> {
  if (!isId(userId)) return false
  const found = await db
    .select({ id: instances.id })
    .from(instances)
    .innerJoin(users, eq(users.id, instances.userId))
    .where(and(eq(instances.userId, userId), eq(instances.coachId, coachId), isPlayerShownInSql, isNull(users.deactivatedAt)))
    .limit(1)
  return found.length === 1
}

/** Retires pictures that were uploaded before `then` and never set on a profile. */
export async function retireUnclaimed(db: Database, then: Date, now: Date): Promise<void> {
  const isOnProfile = sql`exists (select 1 from ${users} where ${users.id} = ${pictures.userId} and ${users.hasProfilePicture})`
  await db
    .update(pictures)
    .set({ retiredAt: now })
    .where(and(isNull(pictures.retiredAt), lt(pictures.createdAt, then), sql`not ${isOnProfile}`))
}

/** Files of retired pictures that have yet to be removed. */
export async function retiredFiles(db: Database): Promise<string[]> {
  const rows = await db.select({ file: pictures.file }).from(pictures).where(isNotNull(pictures.retiredAt))
  return rows.map(({ file }) => file)
}

/** Call after removing the file. */
export async function deleteRetiredPicture(db: Database, file: string): Promise<void> {
  await db.delete(pictures).where(and(eq(pictures.file, file), isNotNull(pictures.retiredAt)))
}

/** Uploads that were created before `then`, whose URLs have expired. */
export async function oldUploads(db: Database, then: Date): Promise<string[]> {
  const rows = await db.select({ key: pictureUploads.key }).from(pictureUploads).where(lt(pictureUploads.createdAt, then))
  return rows.map(({ key }) => key)
}

export async function deleteUpload(db: Database, key: string): Promise<void> {
  await db.delete(pictureUploads).where(eq(pictureUploads.key, key))
}
