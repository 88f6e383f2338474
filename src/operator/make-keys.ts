import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import * as z from 'zod/mini'
import { isDiskFull } from '#server/disk-full.ts'
import { makingProblem } from '#server/make-folder.ts'
import { isThereAlready, writeNewFile } from '#server/new-file.ts'
import { signingJwks, signingKeysProblem } from '#server/signing-keys.ts'
import { exists } from '#server/exists.ts'
import { EXIT, ExitError, textOf } from './exit.ts'
import type { Tool } from './tool.ts'

/** `touchline keys`: all secrets, or those of an installation with new ones added, as lines of `.env`. */

const SECRETS = ['REFRESH_KEY', 'CODE_PEPPER', 'OPERATOR_KEY', 'AUDIT_KEY'] as const
type KeyName = 'TOKEN_SIGNING_KEYS' | (typeof SECRETS)[number]
/** `MAIL_BOUNCE_KEY`: absent where nobody reports mail that comes back */
type KeySettings = Record<KeyName, string> & { MAIL_BOUNCE_KEY?: string }
type Jwk = z.output<typeof signingJwks>[number]
/** Audit keys all stay, because their entries are kept for 400 days. */
const SIGNING_KEYS_KEPT = 3

const secret = () => randomBytes(36).toString('base64url')

function signingJwk(): Jwk {
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  return signingJwks.parse([jwk])[0] as Jwk // one goes in
}

/** A full set for a new installation. */
export function newKeys(): KeySettings {
  return {
    TOKEN_SIGNING_KEYS: JSON.stringify([signingJwk()]),
    REFRESH_KEY: secret(),
    CODE_PEPPER: secret(),
    OPERATOR_KEY: secret(),
    AUDIT_KEY: secret(),
    MAIL_BOUNCE_KEY: secret(),
  }
}

/**
 * `rotate`: new signing and audit keys come first, and the old ones still verify. `prepare`: the new ones come second, so that every
 * process knows them before one uses them; `promote` then moves the second ones to the front. What has no list stays, because a new
 * REFRESH_KEY would end every session, except OPERATOR_KEY, which `rotate` replaces. Any of MAIL_BOUNCE_KEY is accepted: `rotate` adds one and
 * leaves the last, until whoever reports has the new one.
 */
export type Rotation = 'rotate' | 'prepare' | 'promote'

function rotateKeys(old: KeySettings, rotation: Rotation): KeySettings {
  const signing = signingJwks.parse(JSON.parse(old.TOKEN_SIGNING_KEYS))
  const audit = old.AUDIT_KEY.split(',').map((one) => one.trim())
  if (rotation === 'promote' && (signing.length < 2 || audit.length < 2))
    throw new ExitError('There is no second key to promote in TOKEN_SIGNING_KEYS and AUDIT_KEY. Run `touchline keys --prepare` first.')
  if (rotation === 'promote' && signing[1]?.next !== true)
    throw new ExitError(
      'The second key in TOKEN_SIGNING_KEYS is an old one: the new keys were promoted already, or were prepared by an earlier version. Nothing was made. For new keys run `touchline keys --prepare`.',
    )
  return {
    ...old,
    TOKEN_SIGNING_KEYS: JSON.stringify(signingOf(added(signing, signingJwk, rotation), rotation).slice(0, SIGNING_KEYS_KEPT)),
    AUDIT_KEY: added(audit, secret, rotation).join(','),
    ...(rotation === 'rotate' ? { OPERATOR_KEY: secret() } : {}),
    ...(rotation === 'rotate' && old.MAIL_BOUNCE_KEY !== undefined ? { MAIL_BOUNCE_KEY: newerBounceKeys(old.MAIL_BOUNCE_KEY) } : {}),
  }
}

const newerBounceKeys = (old: string) => [secret(), old.split(',')[0]?.trim()].join(',')

/** Only a key that was prepared last can be promoted, and once: twice would bring the old ones back. */
function signingOf([first, second, ...rest]: Jwk[], rotation: Rotation): Jwk[] {
  const plain = [first, second, ...rest].flatMap((jwk) => (jwk ? [{ ...jwk, next: undefined }] : []))
  return rotation === 'prepare' ? plain.map((jwk, place) => (place === 1 ? { ...jwk, next: true as const } : jwk)) : plain
}

function added<T>(list: T[], make: () => T, rotation: Rotation): T[] {
  const [first, second, ...rest] = list
  if (first === undefined) throw new Error('a list of keys is never empty')
  if (rotation === 'rotate') return [make(), ...list]
  if (rotation === 'prepare') return [first, make(), ...list.slice(1)]
  return second === undefined ? list : [second, first, ...rest]
}

/** @throws ExitError that names every key that is missing or damaged */
export function keysIn(environment: Record<string, string | undefined>, where: string): KeySettings {
  const { TOKEN_SIGNING_KEYS = '', REFRESH_KEY = '', CODE_PEPPER = '', OPERATOR_KEY = '', AUDIT_KEY = '' } = environment
  const keys = { TOKEN_SIGNING_KEYS, REFRESH_KEY, CODE_PEPPER, OPERATOR_KEY, AUDIT_KEY }
  const bounce = environment['MAIL_BOUNCE_KEY']?.trim()
  const missing = Object.entries(keys).flatMap(([name, value]) => (value.trim() === '' ? [name] : []))
  if (missing.length > 0)
    throw new ExitError(`${where} has no ${missing.join(', ')}. For a new installation run \`touchline keys\` alone.`, EXIT.usage)
  const problem = signingKeysProblem(TOKEN_SIGNING_KEYS)
  if (problem !== undefined) throw new ExitError(problem, EXIT.usage)
  return { ...keys, ...(bounce === undefined || bounce === '' ? {} : { MAIL_BOUNCE_KEY: bounce }) }
}

const linesOf = (keys: KeySettings) =>
  `${Object.entries(keys)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`

interface KeysOptions {
  rotation?: Rotation | undefined
  /** settings with the present keys; by default the environment */
  from?: string | undefined
  /** written for its owner only; by default the result is printed */
  out?: string | undefined
}

export async function makeKeys(tool: Tool, { rotation, from, out }: KeysOptions): Promise<void> {
  const keys = rotation === undefined ? newKeys() : rotateKeys(await present(tool, from), rotation)
  if (out === undefined) return tool.print(linesOf(keys).trimEnd())
  await writeNew(out, linesOf(keys))
  tool.warn(`Wrote ${Object.keys(keys).join(', ')} to ${out}, readable by its owner only. Keep a copy away from this machine.`)
}

async function present({ environment }: Tool, from: string | undefined): Promise<KeySettings> {
  if (from === undefined) return keysIn(environment, 'The environment')
  const text = await readFile(from, 'utf8').catch((error: unknown) => {
    throw new ExitError(`--from ${from} cannot be read: ${textOf(error)}`, EXIT.usage)
  })
  return keysIn(parseEnv(text), from)
}

const refusedOver = (path: string) => new ExitError(`${path} exists already, and nothing is written over it. Name another file.`)

/** Refuses a path where something is already. For what asks a server before it writes. */
export async function requireNew(path: string): Promise<void> {
  if (await exists(path)) throw refusedOver(path)
}

/** Secrets are never written over. */
export async function writeNew(path: string, content: string): Promise<void> {
  try {
    await writeNewFile(path, content)
  } catch (error) {
    if (isThereAlready(error)) throw refusedOver(path)
    throw new ExitError(
      isDiskFull(error)
        ? `The disk of ${path} is full: make room.`
        : `${path} cannot be written: ${makingProblem(error)}. Name a file in a folder that exists.`,
    )
  }
}
