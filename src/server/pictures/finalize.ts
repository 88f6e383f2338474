import { setTimeout as pause } from 'node:timers/promises'
import { PICTURE_BYTES_MAXIMUM } from '#contract/constants.ts'
import type { pictures } from '#contract/pictures.ts'
import type { Deps } from '../deps.ts'
import type { Handler } from '../http/handler.ts'
import { callObjectStore } from './call-object-store.ts'
import { picturePath, pictureUrl, uploadPath } from './picture-paths.ts'
import { createSemaphore } from './semaphore.ts'
import { decode, DECODER_LIMITS } from './decode.ts'
import type { PictureProblem } from './square.ts'
import { addPicture, releaseUpload, claimUpload } from './store.ts'
import { removeFile, sweepPicture } from './sweep.ts'

/** One at a time: decoding 25 megapixels takes up to 300 MB of memory (PROFILE-40). */
const decoding = createSemaphore(1, 50)
const LABEL_MAXIMUM = 255
/** Left of a call's time for storing what was decoded. */
const STORING_MS = 2000
/** Left of a call's time for removing what is no longer needed. */
const REMOVING_MS = 1000

type Finalize = Handler<typeof pictures.finalize>

/** Accepts the caller's own upload, once, one of an account at a time: others wait for the same decoder. */
export const finalize: Finalize = async (call) => {
  const { caller, refuse, deps } = call
  const spent = await deps.limits.peek('refusedPictures', caller.userId)
  if (spent) return refuse('TOO_MANY_REQUESTS', spent)
  const run = await deps.limits.runExclusive('pictures', caller.userId, () => finalizeUpload(call))
  return 'retryAfter' in run ? refuse('TOO_MANY_REQUESTS', run) : run.done
}

/** Only the decoder's output is stored, under a name that the server chooses. */
async function finalizeUpload({ body, caller, refuse, deps }: Parameters<Finalize>[0]): ReturnType<Finalize> {
  const { db, media, random, clock, log } = deps
  const now = clock.now()
  const { tempKey } = body
  if (!(await claimUpload(db, tempKey, caller.userId, now))) return refuse('UPLOAD_NOT_FOUND')

  // nothing is done after the call was given up, or a repeat would find the upload used
  const until = performance.now() + deps.env.callTimeoutSeconds * 1000 - REMOVING_MS
  const left = () => Math.max(0, Math.round(until - performance.now()))
  const decodingLeft = () => Math.max(0, left() - STORING_MS)
  const square = await decoding(decodingLeft() / 2, () => readSquare(deps, tempKey, decodingLeft))
  if (square === undefined || square === 'failed') {
    await releaseUpload(db, tempKey)
    return refuse('UNAVAILABLE', { retryAfter: 5 })
  }
  if (typeof square === 'string') {
    if (square !== 'UPLOAD_NOT_FOUND') await deps.limits.take('refusedPictures', caller.userId)
    await tryRemoving(deps, () => removeFile(deps, uploadPath(tempKey)))
    return refuse(square)
  }

  const file = `${random.bytes(16).toString('hex')}.jpg`
  const isStored = await callObjectStore(log, async () => {
    await media.write(picturePath(file), square, 'image/jpeg', AbortSignal.timeout(left()))
    return true
  })
  if (!isStored) {
    await releaseUpload(db, tempKey)
    return refuse('UNAVAILABLE', { retryAfter: 5 })
  }
  const id = random.id()
  const labels = { name: labelOf(body.name), documentFormat: labelOf(body.documentFormat) }
  const replaced = await addPicture(db, { id, userId: caller.userId, file, ...labels, sizeBytes: square.length, createdAt: now })
  await tryRemoving(deps, async () => {
    await removeFile(deps, uploadPath(tempKey))
    if (!replaced) await removeFile(deps, picturePath(file))
    for (const old of replaced ?? []) await sweepPicture(deps, old)
  })
  if (!replaced) return refuse('INVALID_TOKEN')
  return { documentId: id, locationUri: pictureUrl(deps, file, caller.userId), fileSizeBytes: square.length }
}

/** The outcome of the call stands, whatever becomes of this: what fails, or takes longer than `REMOVING_MS`, is left to the sweep. */
async function tryRemoving({ log }: Deps, remove: () => Promise<unknown>): Promise<void> {
  const removing = remove().catch((error: unknown) => log.warn({ err: error }, 'could not delete a picture file; the sweep will'))
  await Promise.race([removing, pause(REMOVING_MS, undefined, { ref: false })])
}

async function readSquare(
  { media, log }: Deps,
  key: string,
  left: () => number,
): Promise<Buffer | PictureProblem | 'UPLOAD_NOT_FOUND' | 'failed'> {
  const bytes = await callObjectStore(log, () => media.read(uploadPath(key), PICTURE_BYTES_MAXIMUM, AbortSignal.timeout(left())))
  if (bytes === undefined) return 'failed'
  if (bytes === 'absent') return 'UPLOAD_NOT_FOUND'
  if (bytes === 'too-large') return 'IMAGE_TOO_LARGE'
  return decode(bytes, { ...DECODER_LIMITS, deadlineMs: left() })
}

/** Without control characters, which databases and terminals may not accept. */
function labelOf(given: string): string {
  return given.replaceAll(/\p{C}/gu, '').slice(0, LABEL_MAXIMUM)
}
