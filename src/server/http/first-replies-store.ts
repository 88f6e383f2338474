import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { firstReplies } from '../db/schema/first-replies.ts'
import { Refused } from './refusal.ts'

/**
 * Browsers repeat a request by themselves when its connection breaks before the reply, and show the app only the second reply. A call that
 * works once keeps its reply for such a repeat, which has the same `idempotency-key`. docs/decisions/0069
 */

/** The form of a key, which is random: whoever knows it can read the reply. */
const KEY = /^[\w-]{20,100}$/
/** A reply is kept for that long; a sweep deletes it within an hour after. By the database's clock, as those of two processes differ. */
const isOld = lt(firstReplies.createdAt, sql`now() - interval '10 minutes'`)
/** A call that has not ended by then never will: its process was killed. */
const isLost = and(isNull(firstReplies.sealed), lt(firstReplies.createdAt, sql`now() - interval '20 seconds'`))
const LOOK_EVERY_MS = 100
const LOOKS_MAXIMUM = 50

/** Requests that a repeat in this process is waiting for. A browser has one repeat at a time: more would keep others out. */
const waitedFor = new Set<string>()

interface Request {
  /** the header */
  key: string | undefined
  /** what identifies the request apart from the key */
  request: readonly unknown[]
}

/** Carries out the call, or resolves to the reply that the same request got before. A refusal or error is not kept: a repeat is judged anew. */
export async function repliedOnce(db: Database, { key, request }: Request, carryOut: () => Promise<unknown>): Promise<unknown> {
  if (key === undefined || !KEY.test(key)) return carryOut()
  const id = createHash('sha256')
    .update(JSON.stringify([key, ...request]))
    .digest('base64url')
  const mine = eq(firstReplies.id, id)
  const sealed = await beginOrWait(db, id)
  if (sealed !== undefined) return open(key, sealed)
  const reply = await carryOut().catch(async (error: unknown) => {
    await db.delete(firstReplies).where(mine)
    throw error
  })
  await db
    .update(firstReplies)
    .set({ sealed: seal(key, reply) })
    .where(mine)
  return reply
}

/** Resolves to the sealed reply of the first request, or to undefined if this one is the first. */
async function beginOrWait(db: Database, id: string): Promise<string | undefined> {
  const mine = eq(firstReplies.id, id)
  const refuse = () => new Refused('UNAVAILABLE', { retryAfter: 1 }, 'the same request is still being carried out')
  if (waitedFor.has(id)) throw refuse()
  let isWaiting = false
  try {
    for (let looks = 0; looks < LOOKS_MAXIMUM; looks += 1) {
      const [begun] = await db
        .insert(firstReplies)
        .values({ id, createdAt: sql`now()` })
        .onConflictDoNothing()
        .returning({ id: firstReplies.id })
      if (begun) return undefined
      const [first] = await db
        .select({ sealed: firstReplies.sealed, isLost: sql<boolean>`${isLost}` })
        .from(firstReplies)
        .where(mine)
      if (first?.sealed) return first.sealed
      if (first?.isLost) {
        await db.delete(firstReplies).where(and(mine, isLost))
        continue
      }
      // one that came at the same time waits already
      if (!isWaiting && waitedFor.has(id)) break
      waitedFor.add(id)
      isWaiting = true
      await wait(LOOK_EVERY_MS)
    }
    throw refuse()
  } finally {
    if (isWaiting) waitedFor.delete(id)
  }
}

export async function deleteOldReplies(db: Database): Promise<void> {
  await db.delete(firstReplies).where(isOld)
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const keyFrom = (key: string) => Buffer.from(hkdfSync('sha256', key, '', 'touchline first reply', 32))

function seal(key: string, reply: unknown): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, keyFrom(key), iv)
  const sealed = [cipher.update(JSON.stringify(reply), 'utf8'), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64')
}

function open(key: string, text: string): unknown {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv(ALGORITHM, keyFrom(key), bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  const opened = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]
  return JSON.parse(Buffer.concat(opened).toString('utf8'))
}
