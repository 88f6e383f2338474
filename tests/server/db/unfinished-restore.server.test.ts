import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { settleRestore, takePlace } from '#server/db/unfinished-restore.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-unfinished-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Files by their paths, each with the word that tells of which installation it is. */
async function given(files: Record<string, string>): Promise<string> {
  const folder = await newFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')])))
}

const OLD = { 'postgres/PG_VERSION': 'old', 'keys.json': 'old', 'media/1': 'old' }
const NEW = { 'postgres/PG_VERSION': 'new', 'keys.json': 'new', 'media/2': 'new' }
const STAGED = { '2026.restoring/keys.json': 'new', '2026.restoring/media/2': 'new' }
const OTHERS = { 'keys.json': 'old', 'media/1': 'old' }

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['while it copied files', { ...OLD, 'postgres.restoring/x': 'new', '2026.restoring/keys.json': 'new' }, OLD],
  ['before the first rename', { ...OLD, ...STAGED, 'postgres.restoring/PG_VERSION': 'new' }, OLD],
  ['between the renames', { ...OTHERS, ...STAGED, 'postgres.before/PG_VERSION': 'old', 'postgres.restoring/PG_VERSION': 'new' }, OLD],
  ['between the renames, what was to come being removed', { ...OTHERS, 'postgres.before/PG_VERSION': 'old' }, OLD],
  ['after the renames', { ...OTHERS, ...STAGED, 'postgres/PG_VERSION': 'new', 'postgres.before/PG_VERSION': 'old' }, NEW],
  [
    'while the other files followed',
    { 'postgres/PG_VERSION': 'new', 'postgres.before/PG_VERSION': 'old', 'keys.json': 'new', '2026.restoring/media/2': 'new' },
    NEW,
  ],
  ['not at all', OLD, OLD],
])('a restore that was killed %s is settled, all or nothing', async (_when, left, settled) => {
  const folder = await given(left)
  await settleRestore(folder)
  expect(await filesIn(folder)).toEqual(settled)
  expect((await readdir(folder)).filter((name) => /restoring|before/.test(name))).toEqual([])
})

test('a restore into an empty folder that was killed before it moved the other files is finished', async () => {
  const folder = await given({ 'postgres.restoring/PG_VERSION': 'new', ...STAGED })
  await takePlace(folder)
  await settleRestore(folder)
  expect(await filesIn(folder)).toEqual(NEW)
})

test('an operator’s copy of the database beside it stays', async () => {
  const files = { ...OLD, 'postgres.before/PG_VERSION': 'copy' }
  const folder = await given(files)
  await settleRestore(folder)
  expect(await filesIn(folder)).toEqual(files)
})

test('a start after a restore that was killed between its renames has the previous database', async () => {
  const folder = await newFolder()
  const first = await openDatabase({ folder }, () => {})
  await first.db.execute(sql`create table kept (id int)`)
  await first.close()
  await rename(join(folder, 'postgres'), join(folder, 'postgres.before'))
  await mkdir(join(folder, 'postgres.restoring'))
  const again = await openDatabase({ folder }, () => {})
  onTestFinished(again.close)
  const { rows } = await again.db.execute(sql`select tablename from pg_tables where schemaname = 'public'`)
  expect(rows).toEqual([{ tablename: 'kept' }])
}, 120_000)
