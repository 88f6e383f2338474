import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { getCACertificates } from 'node:tls'
import { ExitError } from '../exit.ts'

/** PostgreSQL's own programs, which copy and restore a database. They must be as new as the server. */
export interface PgProgram {
  path: string
  /** major version */
  version: number
}

type Name = 'pg_dump' | 'pg_restore' | 'psql'

// where Debian and Red Hat put them, by version; Debian's own pg_dump in the PATH is a wrapper that chooses
const PLACES = ['/usr/lib/postgresql', '/usr/pgsql']

/** @param folder of the programs; by default the newest that is found */
export async function findPrograms<N extends Name>(names: readonly N[], folder: string | undefined): Promise<Record<N, PgProgram>> {
  const folders = folder === undefined ? await usualFolders() : [folder]
  const found: [N, PgProgram][] = []
  const missing: N[] = []
  for (const name of names) {
    const versions = await Promise.all(folders.map((one) => versionOf(join(one, name))))
    const [newest] = versions.flatMap((one) => one ?? []).toSorted((a, b) => b.version - a.version)
    if (newest) found.push([name, newest])
    else missing.push(name)
  }
  if (missing.length > 0)
    throw new ExitError(
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing${folder === undefined ? '' : ` in ${folder}`}. Install PostgreSQL's client programs ` +
        '(Debian: apt-get install postgresql-client), or name their folder with --pg-bin.',
    )
  return Object.fromEntries(found) as Record<N, PgProgram> // each name was found
}

async function usualFolders(): Promise<string[]> {
  const inPath = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const ofVersions = await Promise.all(
    PLACES.map(async (place) => (await readdir(place).catch(() => [])).map((version) => join(place, version, 'bin'))),
  )
  return [...ofVersions.flat(), ...inPath]
}

async function versionOf(path: string): Promise<PgProgram | undefined> {
  if (
    !(await access(path, constants.X_OK).then(
      () => true,
      () => false,
    ))
  )
    return undefined
  const child = spawn(path, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  child.stdout.on('data', (chunk) => (text += String(chunk)))
  const ended = await once(child, 'close').catch(() => undefined)
  const version = /\(PostgreSQL\) (\d+)/.exec(text)?.[1]
  return ended && version !== undefined ? { path, version: Number(version) } : undefined
}

/** How a program ended, and what it wrote to its standard error. Call it at once, before it writes. */
export async function endOf(child: ChildProcess & { stderr: Readable }): Promise<{ code: number | null; said: string }> {
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

const BOUND = ['--pdeathsig', 'TERM']

/**
 * A command line by which Linux ends a program with the process that started it, however that ends; elsewhere, and where setpriv
 * (util-linux) cannot do it, the program's own.
 */
export async function boundToUs(program: string, args: string[]): Promise<[program: string, args: string[]]> {
  const trial = spawn('setpriv', [...BOUND, 'true'], { stdio: 'ignore' })
  const [code] = (await once(trial, 'close').catch(() => [1])) as [number | null]
  return code === 0 ? ['setpriv', [...BOUND, program, ...args]] : [program, args]
}

/** @throws ExitError if the program is older than the server, which it would refuse in other words */
export function requireNewEnough(name: Name, program: PgProgram, serverVersion: number): void {
  if (program.version >= serverVersion) return
  throw new ExitError(
    `${name} is of PostgreSQL ${program.version} (${program.path}), and the database is PostgreSQL ${serverVersion}: install postgresql-client-${serverVersion}, or name its folder with --pg-bin.`,
  )
}

/** Arguments for PostgreSQL's programs. */
export interface Connection {
  address: string
  environment: Record<string, string>
}

const VERIFIED = new Set(['verify-ca', 'verify-full'])

/**
 * Runs something that starts PostgreSQL's programs. They reach the database as the server does: of several hosts the one that takes writes, and
 * with the authorities that Node trusts.
 */
export async function withConnection<T>(url: string, run: (connection: Connection) => Promise<T>): Promise<T> {
  const { address, parameters, environment } = connectionOf(url)
  const connection = { address: `${address}?${parameters.toString().replaceAll('+', '%20')}`, environment }
  if (!VERIFIED.has(parameters.get('sslmode') ?? '') || parameters.has('sslrootcert')) return run(connection)
  const folder = await mkdtemp(join(tmpdir(), 'touchline-authorities-'))
  try {
    const PGSSLROOTCERT = join(folder, 'authorities.pem')
    await writeFile(PGSSLROOTCERT, getCACertificates('default').join('\n'))
    return await run({ ...connection, environment: { ...environment, PGSSLROOTCERT } })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What PostgreSQL's programs know of an address; the rest is for the driver of Node, which would be unknown to them. */
const KNOWN = new Set(
  (
    'application_name channel_binding client_encoding connect_timeout dbname gssencmode host hostaddr keepalives keepalives_count keepalives_idle ' +
    'keepalives_interval options port sslcert sslcrl sslkey sslmode sslpassword sslrootcert sslsni tcp_user_timeout user'
  ).split(' '),
)
const CONNECT_SECONDS = '10'

/** The password goes into the environment, because everybody can read command lines. */
function connectionOf(url: string) {
  const [, scheme = '', authority = '', path = '', query = ''] = /^(postgres(?:ql)?:\/\/)([^/?]*)([^?]*)\??(.*)$/.exec(url) ?? []
  const at = authority.lastIndexOf('@')
  const [user = '', ...secret] = authority.slice(0, Math.max(at, 0)).split(':')
  const given = new URLSearchParams(query)
  const password = secret.length > 0 ? decodeURIComponent(secret.join(':')) : (given.get('password') ?? undefined)
  // what only the driver of Node knows
  if (['true', '1'].includes(given.get('ssl') ?? '') && !given.has('sslmode')) given.set('sslmode', 'verify-full')
  if (given.get('sslmode') === 'no-verify') given.set('sslmode', 'require')
  if (!given.has('connect_timeout')) given.set('connect_timeout', CONNECT_SECONDS)
  const parameters = new URLSearchParams([...given].filter(([name]) => KNOWN.has(name)))
  // a standby may be behind
  parameters.set('target_session_attrs', 'read-write')
  return {
    address: scheme + (user === '' ? '' : `${user}@`) + authority.slice(at + 1) + path,
    parameters,
    environment: { PGAPPNAME: 'touchline', ...(password === undefined ? {} : { PGPASSWORD: password }) },
  }
}
