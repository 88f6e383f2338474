import * as z from 'zod/mini'
import type { Media } from '../outside/media.ts'
import { isSealed, seal, type SealKeys } from './seals.ts'
import type { Head } from './store.ts'
import type { BrokenEntry } from './verify-store.ts'

/**
 * The last entry of each stream at the last sweep. Stored outside the database, so that somebody who deletes the newest entries there
 * cannot hide it.
 */
export interface Heads {
  at: Date
  heads: Head[]
  /** streams that the last sweep found broken: sweeps read them whole until they are intact */
  broken: BrokenEntry['stream'][]
}

// beside the pictures, under a name that no URL leads to
const PLACE = 'audit/heads.json'
const BYTES_MAXIMUM = 100_000

const stored = z.object({
  at: z.string(),
  /** number of entries ever written */
  entries: z.int(),
  /** stream, seq, seal */
  heads: z.array(z.tuple([z.int(), z.int(), z.string()])),
  broken: z.optional(z.array(z.union([z.int(), z.literal('unkeyed')]))),
  key: z.string(),
  seal: z.string(),
})
type StoredHeads = z.output<typeof stored>

const contentOf = ({ at, entries, heads, broken }: Pick<StoredHeads, 'at' | 'entries' | 'heads' | 'broken'>) =>
  broken ? [at, entries, heads, broken] : [at, entries, heads]

/** `foreign`: not sealed by a key of ours. @param place where a restore has put them aside */
export async function readHeads(media: Media, keys: SealKeys, place = PLACE): Promise<Heads | 'absent' | 'foreign'> {
  const found = await media.read(place, BYTES_MAXIMUM)
  if (found === 'absent') return 'absent'
  const parsed = typeof found === 'string' ? undefined : parse(found.toString('utf8'))
  if (!parsed || !isSealed(keys, parsed.key, 'heads', contentOf(parsed), parsed.seal)) return 'foreign'
  return { at: new Date(parsed.at), heads: parsed.heads.map(([stream, seq, seal]) => ({ stream, seq, seal })), broken: parsed.broken ?? [] }
}

/**
 * Moves the heads, if there are any, to a name that tells of a restore. Resolves to that name, whether it moves them or did before.
 * @param begunAt ISO 8601, of the restore
 */
export async function setHeadsAside(media: Media, begunAt: string): Promise<string> {
  const aside = PLACE.replace('.json', `-before-restore-${begunAt.replaceAll(':', '-')}.json`)
  const heads = await media.read(PLACE, BYTES_MAXIMUM)
  // too large to be ours: a sweep reports them
  if (typeof heads === 'string') return aside
  await media.write(aside, heads, 'application/json')
  await media.remove(PLACE)
  return aside
}

function parse(text: string): StoredHeads | undefined {
  try {
    return stored.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Resolves to what it wrote, for the log line. */
export async function writeHeads(media: Media, [key]: SealKeys, { at, heads, broken }: Heads): Promise<StoredHeads> {
  const entries = heads.reduce((sum, { seq }) => sum + seq, 0)
  const content = {
    at: at.toISOString(),
    entries,
    heads: heads.map(({ stream, seq, seal }): [number, number, string] => [stream, seq, seal]),
    // earlier builds do not know it
    ...(broken.length > 0 ? { broken } : {}),
  }
  const signed = { ...content, key: key.name, seal: seal(key, 'heads', contentOf(content)) }
  await media.write(PLACE, Buffer.from(JSON.stringify(signed)), 'application/json')
  return signed
}
