import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'
import type { Keys } from '#server/keys.ts'
import { makingProblem } from '#server/make-folder.ts'
import { errorCode } from '#server/error-code.ts'
import { ExitError } from '../exit.ts'

/** `manifest.json` of a backup: what it is of, and what must be there. It is written last, so a backup without one was cut short. */

export const FORMAT = 1
const NAME = 'manifest.json'

const manifest = z.object({
  product: z.literal('touchline'),
  format: z.int(),
  /** UTC, ISO 8601: the database is as it was then */
  at: z.iso.datetime(),
  /** of package.json */
  build: z.string(),
  engine: z.enum(['postgres', 'embedded']),
  /** PostgreSQL's major version, of the embedded engine too */
  engineVersion: z.int(),
  /** that had run, oldest first */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  files: z.array(z.object({ name: z.string().check(z.regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/)), bytes: z.int(), sha256: z.string() })),
  /** that the embedded database needs on a disk */
  unpackedBytes: z.optional(z.int()),
  /** setting → the beginning of a hash of its value, to tell whether a server has the same */
  keys: z.record(z.string(), z.string()),
  /** what is not in the backup and must be kept as well, in sentences */
  elsewhere: z.array(z.string()),
})
export type Manifest = z.output<typeof manifest>

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const file = await open(join(folder, NAME), 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Reads a backup's manifest and verifies every file. @throws ExitError that says what is wrong with it */
export async function readBackup(folder: string): Promise<Manifest> {
  const found = await readManifest(folder)
  for (const file of found.files) await verify(folder, file)
  return found
}

async function readManifest(folder: string): Promise<Manifest> {
  const isFolder = await stat(folder).then(
    (one) => one.isDirectory(),
    (error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined
      throw new ExitError(`${folder} cannot be read: ${makingProblem(error)}.`)
    },
  )
  if (isFolder === undefined) throw new ExitError(`There is no backup at ${folder}.`)
  const text = isFolder ? await readFile(join(folder, NAME), 'utf8').catch(() => undefined) : undefined
  if (text === undefined)
    throw new ExitError(
      `${folder} is not a whole backup of Touchline: it has no ${NAME}, which is written last. Name the folder of a backup.`,
    )
  const given = parse(text)
  const product = given?.['product']
  if (product !== 'touchline')
    throw new ExitError(
      `${folder} is ${typeof product === 'string' ? `a backup of ${product}` : 'a damaged backup'}, not one of Touchline.`,
    )
  if (typeof given?.['format'] === 'number' && given['format'] > FORMAT)
    throw new ExitError(`${folder} was made by a newer release of Touchline (${String(given['build'])}): restore it with that release.`)
  const parsed = manifest.safeParse(given)
  if (!parsed.success) throw new ExitError(`${folder}/${NAME} is damaged. Take another copy of this backup.`)
  return parsed.data
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const given: unknown = JSON.parse(text)
    return typeof given === 'object' && given !== null ? { ...given } : undefined
  } catch {
    return undefined
  }
}

async function verify(folder: string, { name, bytes, sha256 }: Manifest['files'][number]): Promise<void> {
  const path = join(folder, name)
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new ExitError(`The backup lacks ${name}. Take another copy of it.`)
  if (found.size < bytes)
    throw new ExitError(`${name} was cut short: ${found.size} of ${bytes} bytes are there. Take another copy of the backup.`)
  if ((await hashOf(path)) !== sha256)
    throw new ExitError(`${name} was changed after the backup: its checksum differs. Take another copy of the backup.`)
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

export async function describeFile(folder: string, name: string): Promise<Manifest['files'][number]> {
  const path = join(folder, name)
  return { name, bytes: (await stat(path)).size, sha256: await hashOf(path) }
}

/** Tells whether a server has the keys of a backup, and reveals nothing of them: they are long and random. */
export function fingerprintsOf({ signing, refreshKey, codePepper, auditKeys }: Keys): Record<string, string> {
  const values = { TOKEN_SIGNING_KEYS: signing[0]?.kid ?? '', REFRESH_KEY: refreshKey, CODE_PEPPER: codePepper, AUDIT_KEY: auditKeys[0] }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fingerprintOf(name, value)]))
}

function fingerprintOf(name: string, value: string): string {
  return createHash('sha256').update(`touchline backup ${name} ${value}`).digest('base64url').slice(0, 12)
}

const LOST: Record<string, string> = {
  TOKEN_SIGNING_KEYS: 'anyone who was signed in has a short wait, or none',
  REFRESH_KEY: 'everybody must sign in again',
  CODE_PEPPER: 'codes that were mailed before are refused',
  AUDIT_KEY: 'the audit log cannot be verified',
}

/** What differs between the keys of a backup and those of a server, in sentences. Older keys of a list count as the server's. */
export function differentKeys(backup: Record<string, string>, keys: Keys): string[] {
  const ours: Record<string, string[]> = {
    ...Object.fromEntries(Object.entries(fingerprintsOf(keys)).map(([name, fingerprint]) => [name, [fingerprint]])),
    TOKEN_SIGNING_KEYS: keys.signing.map(({ kid }) => fingerprintOf('TOKEN_SIGNING_KEYS', kid)),
    AUDIT_KEY: keys.auditKeys.map((key) => fingerprintOf('AUDIT_KEY', key)),
  }
  return Object.entries(backup)
    .filter(([name, fingerprint]) => ours[name]?.includes(fingerprint) === false)
    .map(([name]) => `${name} is not the one of the backup: ${LOST[name] ?? 'set it to that'}. Bring the settings back as well.`)
}
