import { PICTURE_BYTES_MAXIMUM } from '#contract/constants.ts'
import { PICTURE_TYPES, type pictures } from '#contract/pictures.ts'
import { MINUTE_MS } from '#contract/rules/dates.ts'
import type { Handler } from '../http/handler.ts'
import { callObjectStore } from './call-object-store.ts'
import { uploadPath } from './picture-paths.ts'
import { signedLink } from './signed-links.ts'
import { addUpload } from './store.ts'

/** How long a URL for uploading a picture is valid. */
const UPLOAD_URL_MINUTES = 15

/**
 * A signed URL for one file of one type: the object store's own for one size, or this server's if the store has none or the size is
 * not named, so that nothing larger than a picture can be stored (SECURITY-9).
 */
export const uploadUrl: Handler<typeof pictures.uploadUrl> = async ({ body, caller, refuse, deps }) => {
  const contentType = PICTURE_TYPES.find((type) => type === body.contentType.toLowerCase())
  if (!contentType) return refuse('UNSUPPORTED_IMAGE')
  const { fileSizeBytes: bytes } = body
  if (bytes !== undefined && bytes > PICTURE_BYTES_MAXIMUM) return refuse('IMAGE_TOO_LARGE')
  const { db, random, media, keys, clock, log } = deps
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + UPLOAD_URL_MINUTES * MINUTE_MS)
  const key = random.bytes(16).toString('hex')
  await addUpload(db, { key, userId: caller.userId, contentType, createdAt, expiresAt })
  const path = uploadPath(key)
  const { presign } = media
  if (presign === null || bytes === undefined) return { uploadUrl: signedLink(keys, `/media/${path}`, expiresAt), tempKey: key }
  const presigned = await callObjectStore(log, () => presign(path, { contentType, bytes }, UPLOAD_URL_MINUTES * 60))
  return presigned === undefined ? refuse('UNAVAILABLE', { retryAfter: 5 }) : { uploadUrl: presigned, tempKey: key }
}
