import { safeParse } from 'zod/v4/core'
import { call, type CallArguments, type CallOptions } from '#app/api/call.ts'
import { STORED_READS_MAX_AGE_MS } from '#app/constants.ts'
import { isAfter } from '#app/device-clock.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { mayStoreReads } from './owner.ts'
import { readStored, storedKeys, writeStored } from './store/device-store.ts'
import type { Dated } from './store/stored.ts'

export interface StoredReply<Reply> extends Dated<Reply> {
  language: string
}

const keyPrefix = ({ method, path }: Endpoint) => `${method} ${path} `
const keyOf = (endpoint: Endpoint, requestJson: string, language: string) => `${keyPrefix(endpoint)}${requestJson} ${language}`

/**
 * Stores a reply with its date, to be shown while the API cannot be reached, and removes older ones in other languages: they may show a
 * person whose account was closed since. OFFLINE-4
 * @param requestJson the request as JSON
 */
export async function storeReply(
  userId: string,
  endpoint: Endpoint,
  requestJson: string,
  language: string,
  reply: Dated<unknown>,
): Promise<void> {
  const mayStore = () => mayStoreReads(userId)
  if (!mayStore()) return
  await writeStored(userId, keyOf(endpoint, requestJson, language), reply.value, { at: reply.at, mayStore })
  for (const other of LANGUAGES) {
    const key = keyOf(endpoint, requestJson, other)
    const stored = other === language ? undefined : await readStored(userId, key)
    if (stored && isAfter(reply.at, stored.at)) await writeStored(userId, key, null)
  }
}

/** Reads and stores the same in the other languages, as of the same date, so that switching works offline. Rejects with `ApiError`. */
export async function storeInOtherLanguages<E extends Endpoint>(
  userId: string,
  endpoint: E,
  requestJson: string,
  language: string,
  at: number,
): Promise<void> {
  for (const other of LANGUAGES) {
    if (other === language || !mayStoreReads(userId)) continue
    const value = await call(endpoint, ...([JSON.parse(requestJson), { language: other, userId }] as CallArguments<E, CallOptions>))
    await storeReply(userId, endpoint, requestJson, other, { value, at })
  }
}

/** Removes a read's stored replies in every language, once the server says that there is no such thing any more. */
export async function removeReply(userId: string, endpoint: Endpoint, requestJson: string): Promise<void> {
  for (const one of LANGUAGES) await writeStored(userId, keyOf(endpoint, requestJson, one), null)
}

/**
 * Removes the stored replies to a read that a list read at `listedAt` no longer names, in every language. Newer replies stay.
 * @param isListed given the request
 */
export async function removeUnlisted(
  userId: string,
  endpoint: Endpoint,
  listedAt: number,
  isListed: (request: unknown) => boolean,
): Promise<void> {
  const start = keyPrefix(endpoint)
  for (const key of await storedKeys(userId)) {
    if (!key.startsWith(start) || isListed(JSON.parse(key.slice(start.length, key.lastIndexOf(' '))))) continue
    const stored = await readStored(userId, key)
    if (stored && isAfter(listedAt, stored.at)) await writeStored(userId, key, null)
  }
}

/** The stored reply in this language, else in another; undefined if it is too old or no longer fits the endpoint's schema. */
export async function readReply<E extends Endpoint>(
  userId: string,
  endpoint: E,
  requestJson: string,
  language: string,
): Promise<StoredReply<ReplyOf<E>> | undefined> {
  for (const one of [language, ...LANGUAGES]) {
    const stored = await readStored(userId, keyOf(endpoint, requestJson, one))
    const reply = stored && Date.now() - stored.at < STORED_READS_MAX_AGE_MS ? safeParse(endpoint.reply, stored.value) : undefined
    // as parsed by the endpoint's schema
    if (stored && reply?.success) return { value: reply.data as ReplyOf<E>, at: stored.at, language: one }
  }
  return undefined
}
