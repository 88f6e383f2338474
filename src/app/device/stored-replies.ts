import { safeParse } from 'zod/v4/core'
import { STORED_READS_MAX_AGE_MS } from '#app/constants.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { mayStore } from './owner.ts'
import { readStored, writeStored } from './store/device-store.ts'
import type { Dated } from './store/stored.ts'

/** Replies of the API, stored with their date for when it cannot be reached (OFFLINE-4). Values are what the contract's schema parsed. */

const keyOf = ({ method, path }: Endpoint, asked: string, language: string) => `${method} ${path} ${asked} ${language}`

/** A good reply, for the time without one; `asked` is the request. */
export async function storeReply(
  userId: string,
  endpoint: Endpoint,
  asked: string,
  language: string,
  reply: Dated<unknown>,
): Promise<void> {
  if (mayStore(userId)) await writeStored(userId, keyOf(endpoint, asked, language), reply.value, reply.at)
}

/** What is stored, in this language or, better than nothing, in another; nothing that is too old, or of another contract. */
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
