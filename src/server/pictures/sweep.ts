import type { Deps } from '../deps.ts'
import { askMedia } from './ask-media.ts'
import { picturePath, PICTURES, uploadPath, UPLOADS } from './places.ts'
import { forgetPicture, forgetUpload, isPictureFile, oldUploads, retiredFiles, retireUnclaimed } from './store.ts'

/** An upload that nobody finished, a picture that never reached a profile: nobody waits for them any more. */
const UNCLAIMED_MINUTES = 60

/** Replaced pictures, unfinished uploads and files without a row: gone within two hours, whatever failed before (PROFILE-41). */
export async function sweepPictures(deps: Deps): Promise<void> {
  const { db, media, clock, log } = deps
  const now = clock.now()
  const then = new Date(now.getTime() - UNCLAIMED_MINUTES * 60_000)
  await retireUnclaimed(db, then, now)
  for (const file of await retiredFiles(db)) await sweepPicture(deps, file)
  for (const key of await oldUploads(db, then)) if (await removeFile(deps, uploadPath(key))) await forgetUpload(db, key)
  await askMedia(log, async () => {
    for await (const { path, at } of media.list(UPLOADS)) if (at < then) await media.remove(path)
    for await (const { path, at } of media.list(PICTURES)) if (at < then && !(await isShown(deps, path))) await media.remove(path)
  })
}

/** Removes a retired picture's file and then its row, so that a failure is made good by the next sweep. */
export async function sweepPicture(deps: Deps, file: string): Promise<void> {
  if (await removeFile(deps, picturePath(file))) await forgetPicture(deps.db, file)
}

/** False when the store failed. */
export async function removeFile({ media, log }: Deps, path: string): Promise<boolean> {
  const isGone = await askMedia(log, async () => {
    await media.remove(path)
    return true
  })
  return isGone ?? false
}

const nameOf = (path: string) => path.slice(path.indexOf('/') + 1)

function isShown({ db }: Deps, path: string): Promise<boolean> {
  return isPictureFile(db, nameOf(path))
}
