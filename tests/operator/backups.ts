import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { Credentials } from '#contract/auth.ts'
import { ownCluster, type OwnCluster } from '#tests/support/own-cluster.ts'
import { ask } from '#tests/support/person.ts'
import { postgresWithPrograms } from '#tests/support/postgres-programs.ts'
import { statementIn } from '#tests/support/postgres.ts'
import { keySettings, newFolder } from './support.ts'

/** What tests of backups share. */

export const LAST_RELEASE = 'tests/operator/last-release'
/** Folder of a PostgreSQL with its programs; undefined: none is installed. */
export const PROGRAMS = postgresWithPrograms()
export const pgBin = ['--pg-bin', join(PROGRAMS ?? '', 'bin')]

// tokens are for this address, whichever port a server has
export const PUBLIC_URL = 'http://localhost:3000'

interface LastRelease {
  at: string
  settings: Record<string, string>
  people: Record<'half' | 'done' | 'coach', { email: string; userId: string; refreshToken: string; deviceId: string }>
}

export async function lastRelease(): Promise<LastRelease> {
  return JSON.parse(await readFile(join(LAST_RELEASE, 'people.json'), 'utf8')) as LastRelease // a file of ours
}

export async function copyOfLastRelease(): Promise<string> {
  const folder = join(await newFolder(), 'backup')
  await cp(LAST_RELEASE, folder, { recursive: true })
  return folder
}

export const sumOf = (counts: readonly number[]) => counts.reduce((sum, one) => sum + one, 0)
/** Of what `backup` prints. */
export const folderOf = (out: string) => out.split('\n')[0] ?? ''

/** Changes a backup's manifest in place. */
export async function changeManifest(folder: string, change: (manifest: Record<string, unknown>) => object): Promise<void> {
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown> // ours
  await writeFile(path, JSON.stringify({ ...manifest, ...change(manifest) }))
}

export async function halve(path: string): Promise<void> {
  await truncate(path, Math.floor((await stat(path)).size / 2))
}

/** Makes the manifest fit a file again. */
export async function describeAgain(folder: string, name: string): Promise<void> {
  const bytes = await readFile(join(folder, name))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const files = (manifest: Record<string, unknown>) => manifest['files'] as { name: string }[] // as ours has them
  await changeManifest(folder, (manifest) => ({
    files: files(manifest).map((one) => (one.name === name ? { name, bytes: bytes.length, sha256 } : one)),
  }))
}

/** The database of the last release, without what this build adds. */
export async function restoreAsItWas(url: string): Promise<void> {
  const program = spawn(join(PROGRAMS ?? '', 'bin', 'pg_restore'), ['--no-owner', `--dbname=${url}`, join(LAST_RELEASE, 'database.dump')])
  const [code] = (await once(program, 'close')) as [number]
  expect(code).toBe(0)
}

/** What the refresh token of a session gives: `status` 200 while it lives. */
export const refresh = (server: { address: string }, refreshToken: string, device: { deviceId?: string } = {}) =>
  ask<Credentials>(server, 'POST', 'auth/refresh', { body: { refreshToken, ...device } })

/** A PostgreSQL of the version whose programs are installed, for all tests of a describe. */
export function givenCluster() {
  const given = {} as { own: OwnCluster } // filled before any test
  beforeAll(async () => {
    given.own = await ownCluster(['fsync=off'], PROGRAMS)
    await given.own.cluster.start()
  }, 60_000)
  afterAll(() => given.own.remove())
  const ofCluster = (text: string) => statementIn(given.own.cluster.url, text)
  return {
    ofCluster,
    /** @param more of `create database` */
    newDatabase: async (more = '') => {
      const name = `tool_${randomBytes(6).toString('hex')}`
      await ofCluster(`create database ${name} ${more}`)
      onTestFinished(async () => void (await ofCluster(`drop database if exists ${name} with (force)`)))
      return given.own.cluster.url.replace(/\/postgres$/, `/${name}`)
    },
    /** Settings of an installation of its own on a database. */
    settingsFor: async (url: string, more: Record<string, string> = keySettings()) => ({
      DATABASE_URL: url,
      DATA_DIR: join(await newFolder(), 'data'),
      PUBLIC_URL,
      ...more,
    }),
    isEmpty: async (url: string) =>
      (await statementIn(url, `select tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`)).length === 0,
  }
}
