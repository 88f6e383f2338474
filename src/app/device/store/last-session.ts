import type { Clearing } from '#app/session/pending-clearing.ts'
import { db, withDatabase } from './db.ts'

/**
 * Which session of a person began last on this device: in the same database as their rows, so that a clearing which was held up
 * knows in its own transaction whether they have signed in again. docs/decisions/0032-what-stays-on-a-device.md
 */

interface LastSession {
  id: string
  /** when the token was issued with which it was first seen here, epoch ms by the server's clock */
  at: number
  /** ids of those before it, the latest first */
  earlier: string[]
}

const EARLIER_MAXIMUM = 5

const keyOf = (userId: string) => `session ${userId}`

/**
 * Notes a session at its start and at each start of a page: the first time counts.
 * @param isPresent whether it has not ended, asked within the transaction: a page that was frozen may go on after a sign-out
 */
export async function noteSession(userId: string, { id, at }: { id: string; at: number }, isPresent: () => boolean): Promise<void> {
  await withDatabase(() =>
    db.transaction('rw', db.device, async () => {
      const last = await lastSessionOf(userId)
      if (last?.id === id || !isPresent()) return
      const earlier = last ? [last.id, ...last.earlier].slice(0, EARLIER_MAXIMUM) : []
      await db.device.put({ key: keyOf(userId), value: JSON.stringify({ id, at, earlier } satisfies LastSession) })
    }),
  )
}

/** Within a transaction: the id of the session in which the person has signed in again since they signed out; undefined if they have not. */
export async function laterSession({ userId, endsSession, issuedAt }: Clearing): Promise<string | undefined> {
  if (endsSession === undefined) return undefined
  const last = await lastSessionOf(userId)
  if (last === undefined || last.id === endsSession) return undefined
  // a disk that did not take the note of the session that ends has that of one before it
  return last.earlier.includes(endsSession) || (issuedAt !== undefined && last.at >= issuedAt) ? last.id : undefined
}

/** Within a transaction, once nothing of the person is left. */
export async function removeSession(userId: string): Promise<void> {
  await db.device.delete(keyOf(userId))
}

async function lastSessionOf(userId: string): Promise<LastSession | undefined> {
  const row = await db.device.get(keyOf(userId))
  return row && (JSON.parse(row.value) as LastSession) // by noteSession
}
