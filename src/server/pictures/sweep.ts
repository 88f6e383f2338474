import type { Deps } from '../deps.ts'
import { callObjectStore } from './call-object-store.ts'
import { picturePath, PICTURES, uploadPath, UPLOADS } from './picture-paths.ts'
import { deleteRetiredPicture, deleteUpload, isPictureFile, oldUploads, retiredFiles, retireUnclaimed } from './store.ts'

/** After this an unfinished upload, or a picture that was never set on a profile, counts as abandoned. */
const ABANDONED_MINUTES = 60

/** Removes replaced pictures, unfinished uploads and files without a row within two hours, whatever failed before (PROFILE-41). */
export async function sweepPictures(deps: Deps): Promise<void> {
  const { db, media, clock, log } = deps
  const now = clock.now()
  const then = new Date(now.getTime() - ABANDONED_MINUTES * 60_000)
  await retireUnclaimed(db, then, now)
  for (const file of await retiredFiles(db)) await sweepPicture(deps, file)
  for (const key of await oldUploads(db, then)) if (await removeFile(deps, uploadPath(key))) await deleteUpload(db, key)
  await callObjectStore(log, async () => {
    for await (const { path, at } of media.list(UPLOADS)) if (at < then) await media.remove(path)
    for await (const { path, at } of media.list(PICTURES)) if (at < then && !(await isShown(deps, path))) await media.remove(path)
  })
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
