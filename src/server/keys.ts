import { createHash, createHmac, generateKeyPairSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { unusable } from './data-folder.ts'
import type { Env } from './env.ts'
import { makeFolder, makingProblem } from './make-folder.ts'
import { isThereAlready, writeNewFile } from './new-file.ts'
import { parseSigningKeys, signingJwks, signingKey, type SigningKey } from './signing-keys.ts'
import { errorCode } from './error-code.ts'

const FILE = 'keys.json'

/** The secrets of an installation. A demo generates them once, in DATA_DIR (OPERATE-2). */
export interface Keys {
  /** the first signs, all verify, so that keys can be rotated */
  signing: SigningKey[]
  refreshKey: string
  codePepper: string
  operatorKey: string
  /** seal the audit log: the first seals, all verify */
  auditKeys: readonly [string, ...string[]]
  /** grants access to /dev/* if the demo is reachable from other machines */
  devSecret: string
}

const stored = z.object({
  signing: signingJwks,
  refreshKey: z.string(),
  codePepper: z.string(),
  operatorKey: z.string(),
  /** absent in files of builds before the keyed audit log */
  auditKey: z.optional(z.string()),
  devSecret: z.string(),
})
type StoredKeys = z.output<typeof stored>

/** Settings take precedence over stored keys. @param folder null: stores nothing (tests) */
export async function loadKeys(env: Env, folder: string | null): Promise<Keys> {
  const made = folder === null || hasAllKeys(env) ? makeKeys() : await readOrMake(folder)
  const [auditKey = made.auditKey ?? keyFrom(made.refreshKey, 'audit'), ...olderAuditKeys] = env.auditKeys
  return {
    signing: env.tokenSigningKeys ? parseSigningKeys(env.tokenSigningKeys) : made.signing.map(signingKey),
    refreshKey: env.refreshKey ?? made.refreshKey,
    codePepper: env.codePepper ?? made.codePepper,
    operatorKey: env.operatorKey ?? made.operatorKey,
    auditKeys: [auditKey, ...olderAuditKeys],
    devSecret: made.devSecret,
  }
}

/** Whether the settings have every secret, so that DATA_DIR needs none. Never in a demo: its pages have a secret without a setting. */
export function hasAllKeys(env: Env): boolean {
  return env.mode === 'production' && keysInSettings(env) === 'all'
}

/** How many of the secrets the settings have; DATA_DIR has the others. */
export function keysInSettings({ tokenSigningKeys, refreshKey, codePepper, operatorKey, auditKeys }: Env): 'all' | 'some' | 'none' {
  const secrets = [tokenSigningKeys, refreshKey, codePepper, operatorKey, auditKeys[0]]
  const given = secrets.filter((one) => one !== undefined)
  if (given.length === secrets.length) return 'all'
  return given.length > 0 ? 'some' : 'none'
}

function keyFrom(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url')
}

/** Compares in constant time. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return given !== '' && timingSafeEqual(digest(given), digest(secret))
}

/**
 * The keys that a demo generated in this folder; undefined if there are none.
 * @throws an Error that names the file, if it is damaged
 */
export async function readStoredKeys(folder: string): Promise<StoredKeys | undefined> {
  const path = join(folder, FILE)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined
    throw new Error(`${path} cannot be read: ${makingProblem(error)}. Run this as the user of the server.`, { cause: error })
  })
  if (text === undefined) return undefined
  try {
    return stored.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`${path} is damaged: bring it back from a backup, or delete it; then everybody must sign in again.`, { cause: error })
  }
}

async function readOrMake(folder: string): Promise<StoredKeys> {
  const found = await readStoredKeys(folder)
  if (found) return found
  const made = makeKeys()
  try {
    await makeFolder(folder, 0o700)
    await writeNewFile(join(folder, FILE), JSON.stringify(made, null, 2))
    return made
  } catch (error) {
    // of two servers that start at once, one makes the file and the other reads it
    const theirs = isThereAlready(error) ? await readStoredKeys(folder) : undefined
    if (theirs) return theirs
    throw unusable(folder, error)
  }
}

function makeKeys(): StoredKeys {
  const secret = () => randomBytes(32).toString('base64url')
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  return stored.parse({
    signing: [jwk],
    refreshKey: secret(),
    codePepper: secret(),
    operatorKey: secret(),
    auditKey: secret(),
    devSecret: secret(),
  })
}
