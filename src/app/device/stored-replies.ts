import { safeParse } from 'zod/v4/core'
import { STORED_READS_MAX_AGE_MS } from '#app/constants.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { mayStore } from './owner.ts'
import { readStored, writeStored } from './store/device-store.ts'
import type { Dated } from './store/stored.ts'

const keyOf = ({ method, path }: Endpoint, asked: string, language: string) => `${method} ${path} ${asked} ${language}`

/**
 * Stores a reply with its date, to be shown while the API cannot be reached. OFFLINE-4
 * @param asked the request as JSON
 */
export async function storeReply(
  userId: string,
  endpoint: Endpoint,
  asked: string,
  language: string,
  reply: Dated<unknown>,
): Promise<void> {
  if (mayStore(userId)) await writeStored(userId, keyOf(endpoint, asked, language), reply.value, reply.at)
}

/** Removes what is stored of a read in every language, once the server says that there is no such thing any more. */
export async function removeReply(userId: string, endpoint: Endpoint, asked: string): Promise<void> {
  for (const one of LANGUAGES) await writeStored(userId, keyOf(endpoint, asked, one), null)
}

/** The stored reply in this language, else in another; undefined if it is too old or no longer fits the endpoint's schema. */
export async function readReply<E extends Endpoint>(
  userId: string,
  endpoint: E,
  asked: string,
  language: string,
): Promise<Dated<ReplyOf<E>> | undefined> {
  for (const one of [language, ...LANGUAGES]) {
    const stored = await readStored(userId, keyOf(endpoint, asked, one))
    const reply = stored && Date.now() - stored.at < STORED_READS_MAX_AGE_MS ? safeParse(endpoint.reply, stored.value) : undefined
    // parsed by this very endpoint's schema
    if (stored && reply?.success) return { value: reply.data as ReplyOf<E>, at: stored.at }
  }
  return undefined
}
