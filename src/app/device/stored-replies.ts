import { safeParse } from 'zod/v4/core'
import { STORED_READS_KEPT_MS } from '#app/constants.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { db, onDevice } from './store/db.ts'
import { mayStore } from './owner.ts'
import { LANGUAGES } from '#contract/languages.ts'

/** Dated answers of the API, kept for when it cannot be reached (OFFLINE-4). Values are what the contract's schema parsed. */
export interface Dated<T> {
  value: T
  /** epoch ms of the answer: shown as "as of" */
  at: number
}

export async function readStored<T>(userId: string, key: string): Promise<Dated<T> | undefined> {
  const row = await onDevice(() => db.reads.get([userId, key]))
  return row && { value: row.value as T, at: row.at }
}

export async function writeStored(userId: string, key: string, value: unknown, at = Date.now()): Promise<void> {
  await onDevice(() => db.reads.put({ userId, key, value, at }))
}

const keyOf = ({ method, path }: Endpoint, asked: string, language: string) => `${method} ${path} ${asked} ${language}`

/** A good answer, kept for the time without one; `asked` is the request. */
export async function storeReply(
  userId: string,
  endpoint: Endpoint,
  asked: string,
  language: string,
  answer: Dated<unknown>,
): Promise<void> {
  if (mayStore(userId)) await writeStored(userId, keyOf(endpoint, asked, language), answer.value, answer.at)
}

/** What is kept, in this language or, better than nothing, in another; nothing that is too old, or of another contract. */
export async function readReply<E extends Endpoint>(
  userId: string,
  endpoint: E,
  asked: string,
  language: string,
): Promise<Dated<ReplyOf<E>> | undefined> {
  for (const one of [language, ...LANGUAGES]) {
    const stored = await readStored(userId, keyOf(endpoint, asked, one))
    const reply = stored && Date.now() - stored.at < STORED_READS_KEPT_MS ? safeParse(endpoint.reply, stored.value) : undefined
    // parsed by this very endpoint's schema
    if (stored && reply?.success) return { value: reply.data as ReplyOf<E>, at: stored.at }
  }
  return undefined
}
