import { openAsBlob } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { openDataFolder, makePrivate } from '#server/data-folder.ts'
import { isDiskFull } from '#server/disk-full.ts'
import { NOTHING_ERASED } from '#server/db/erased-before-restore.ts'
import { freeBytes } from '#server/free-bytes.ts'
import { holdLock } from '#server/db/lock.ts'
import { EMBEDDED_VERSION, unpackFiles } from '#server/db/open.ts'
import type { ReplacedDatabase, RestoreTimes } from '#server/db/restore-mark.ts'
import { lockOf, placesOf, settleRestore, stagingOf, takePlace } from '#server/db/unfinished-restore.ts'
import type { Env } from '#server/env.ts'
import { EXIT, ExitError, textOf } from '../exit.ts'
import { FILES } from './backup.ts'
import { readErased } from './erased-since.ts'
import type { Manifest } from './manifest.ts'
import { stageFiles } from './staged-files.ts'
import type { RestoreInput } from './restore-options.ts'

/** Disk needed to unpack a backup, as a multiple of its unpacked size. */
const ROOM_FACTOR = 1.3

/** Restores into DATA_DIR, in place of what is there if that was asked for. */
export async function restoreEmbedded(
  env: Env,
  manifest: Manifest,
  folder: string,
  { replace, check, restored }: RestoreInput,
): Promise<void> {
  const { dataDir } = env
  if (EMBEDDED_VERSION !== manifest.engineVersion)
    throw new ExitError(
      `The backup comes from an embedded PostgreSQL ${manifest.engineVersion}, and this build has ${EMBEDDED_VERSION}: restore it with the release that made it.`,
    )
  await openDataFolder(dataDir)
  const erased = check || !replace ? NOTHING_ERASED : await readErased(env, restored.begunAt)
  const release = holdLock(lockOf(dataDir))
  try {
    await settleRestore(dataDir)
    const { place, part, before } = placesOf(dataDir)
    if (!replace && (await readdir(place).catch(() => [])).length > 0)
      throw new ExitError(`DATA_DIR (${dataDir}) has a database already: name an empty folder, or use --replace to delete what is there.`)
    await requireRoom(dataDir, manifest.unpackedBytes ?? 0)
    if (check) return
    try {
      await rm(before, { recursive: true, force: true })
      // first of all, since it says that nothing is in its place yet
      await mkdir(part, { mode: 0o700 })
      await stageFiles(folder, stagingOf(dataDir, restored))
      await unpack(join(folder, FILES), part, restored, { erased }).catch((error: unknown) => {
        throw new ExitError(unpackProblem(dataDir, error), EXIT.failed, { cause: error })
      })
      await takePlace(dataDir)
    } finally {
      await settleRestore(dataDir)
    }
    await makePrivate(dataDir)
  } finally {
    release()
  }
}

async function unpack(path: string, into: string, restored: RestoreTimes, before: ReplacedDatabase): Promise<void> {
  const chunks: Buffer[] = []
  const zipped = (await openAsBlob(path)).stream()
  await pipeline(zipped, createGunzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk)
  })
  await unpackFiles(new Blob(chunks), into, restored, before)
}

const inMegabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024)

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const left = await freeBytes(folder)
  const needed = bytes * ROOM_FACTOR
  if (left >= needed) return
  throw new ExitError(
    `The disk of ${folder} has ${inMegabytes(left)} MB left, and the backup needs ${inMegabytes(needed)} MB: make room. Nothing was changed.`,
  )
}

function unpackProblem(dataDir: string, error: unknown): string {
  return isDiskFull(error)
    ? `The disk of ${dataDir} is full: make room. Nothing was changed.`
    : `${FILES} cannot be unpacked into ${dataDir}: ${textOf(error)}. Nothing was changed.`
}
