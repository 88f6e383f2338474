import { createHash, createHmac } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { databaseOf } from '../db/transactions.ts'
import { isSameSecret } from '../keys.ts'

/** Seals of audit entries, by keys that the database does not have. docs/decisions/0029 */

/** The first seals, all verify: so keys can be rotated. */
export type SealKeys = readonly [SealKey, ...SealKey[]]

interface SealKey {
  /** identifies the key that sealed an entry, and reveals nothing of it */
  name: string
  secret: string
}

const keysOf = new WeakMap<Database, SealKeys>()

/** Call before the first entry. */
export function bindSealKeys(db: Database, [first, ...others]: readonly [string, ...string[]]): void {
  keysOf.set(databaseOf(db), [sealKey(first), ...others.map(sealKey)])
}

/** The keys of a database, or of the one a transaction belongs to. */
export function sealKeysOf(db: Database): SealKeys {
  const keys = keysOf.get(databaseOf(db))
  if (!keys) throw new Error('a database has no key for its audit log')
  return keys
}

function sealKey(secret: string): SealKey {
  return { name: createHash('sha256').update(`audit key ${secret}`).digest('base64url').slice(0, 8), secret }
}

/** `kind` makes a seal of one kind invalid for another. */
export function seal({ secret }: SealKey, kind: 'entry' | 'heads', content: readonly unknown[]): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([`audit ${kind}`, ...content]))
    .digest('base64url')
}

/** Whether the key of that name made this seal; false if it is not one of ours. */
export function isSealed(keys: SealKeys, name: string, kind: 'entry' | 'heads', content: readonly unknown[], given: string): boolean {
  const key = keys.find((one) => one.name === name)
  return key !== undefined && isSameSecret(given, seal(key, kind, content))
}
