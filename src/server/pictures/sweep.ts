import { MINUTE_MS } from '#contract/rules/dates.ts'
import type { Deps } from '../deps.ts'
import { MediaError } from '../outside/media.ts'
import { tryEach } from '../try-each.ts'
import { callObjectStore } from './call-object-store.ts'
import { picturePath, PICTURES, uploadPath, UPLOADS } from './picture-paths.ts'
import { deleteRetiredPicture, deleteUpload, isPictureFile, oldUploads, retiredFiles, retireUnclaimed } from './store.ts'

/** The time after which an unfinished upload, or a picture that was never set on a profile, counts as abandoned. */
const ABANDONED_MINUTES = 60

interface UnusedFile {
  path: string
  /** deletes its row */
  onRemoved?: () => Promise<void>
}

/**
 * Removes replaced pictures, unfinished uploads and files without a row within two hours, whatever failed before (PROFILE-41). What the
 * store refuses is left; it fails if the store is away.
 */
export async function sweepPictures(deps: Deps): Promise<void> {
  const { db, media, clock, log } = deps
  const now = clock.now()
  const then = new Date(now.getTime() - ABANDONED_MINUTES * MINUTE_MS)
  await retireUnclaimed(db, then, now)
  await unlessRefused(log, () =>
    tryEach(unused(deps, then), ({ path, onRemoved }) =>
      unlessRefused(log, async () => {
        await media.remove(path)
        await onRemoved?.()
      }),
    ),
  )
}

/** What nobody needs any more; of uploads and files, those from before `then`. */
async function* unused(deps: Deps, then: Date): AsyncGenerator<UnusedFile> {
  const { db, media } = deps
  for (const file of await retiredFiles(db)) yield { path: picturePath(file), onRemoved: () => deleteRetiredPicture(db, file) }
  for (const key of await oldUploads(db, then)) yield { path: uploadPath(key), onRemoved: () => deleteUpload(db, key) }
  for await (const { path, at } of media.list(UPLOADS)) if (at < then) yield { path }
  for await (const { path, at } of media.list(PICTURES)) if (at < then && !(await isShown(deps, path))) yield { path }
}

/** Logs what the object store refuses. */
async function unlessRefused(log: Deps['log'], step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (!(error instanceof MediaError) || !error.isRefusal) throw error
    log.warn({ err: error }, 'the object store refused')
  }
}

/** Removes a retired picture's file and then its row, so that the next sweep retries a failure. */
export async function sweepPicture(deps: Deps, file: string): Promise<void> {
  if (await removeFile(deps, picturePath(file))) await deleteRetiredPicture(deps.db, file)
}

/** False if the object store failed. */
export async function removeFile({ media, log }: Deps, path: string): Promise<boolean> {
  const isRemoved = await callObjectStore(log, async () => {
    await media.remove(path)
    return true
  })
  return isRemoved ?? false
}

const nameOf = (path: string) => path.slice(path.indexOf('/') + 1)

function isShown({ db }: Deps, path: string): Promise<boolean> {
  return isPictureFile(db, nameOf(path))
}
