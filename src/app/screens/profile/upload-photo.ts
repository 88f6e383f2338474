import { ApiError } from '#app/api/api-error.ts'
import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { invalidateChangedBy } from '#app/api/query-port.ts'
import { PHOTO_PROGRESS, PHOTO_UPLOAD_TIMEOUT_MS } from '#app/constants.ts'
import { resolveMediaUrl } from '#app/parts/person/media-url.ts'
import { pictures } from '#contract/pictures.ts'
import { users } from '#contract/users.ts'

/** The upload URL refused the file. PROFILE-37 */
export class UploadFailed extends Error {
  readonly statusText: string
  constructor(statusText: string) {
    super(statusText)
    this.statusText = statusText
  }
}

export type Progress = (typeof PHOTO_PROGRESS)[number]

interface Upload {
  photo: Blob
  /** the file's name */
  name: string
  userId: string
  /** honoured until the file has arrived: the two calls after that must both be made */
  signal: AbortSignal
  onProgress: (percent: Progress) => void
}

const [STARTED, SENT, DONE] = PHOTO_PROGRESS

/** Requests an upload URL, sends the file, registers it and updates the profile. Rejects with the signal's reason if aborted. PROFILE-35 */
export async function uploadPhoto({ photo, name, userId, signal, onProgress }: Upload): Promise<void> {
  onProgress(STARTED)
  const { type, size } = photo
  const wanted = { filename: name, contentType: type, fileSizeBytes: size }
  const { uploadUrl, tempKey } = await call(pictures.uploadUrl, { body: wanted }, { signal, userId })
  await put(resolveMediaUrl(uploadUrl), photo, signal)
  onProgress(SENT)
  try {
    await call(pictures.finalize, { body: { tempKey, name, documentFormat: type } }, { userId })
    onProgress(DONE)
    await call(users.update, { params: { id: userId }, body: { hasProfilePicture: true } }, { userId })
  } finally {
    // also if a reply was lost: the screen shows what the server has
    invalidateChangedBy(users.update)
  }
}

async function put(url: string, photo: Blob, cancel: AbortSignal): Promise<void> {
  const timeout = AbortSignal.timeout(PHOTO_UPLOAD_TIMEOUT_MS)
  const signal = AbortSignal.any([cancel, timeout])
  const response = await fetch(url, { method: 'PUT', body: photo, headers: { 'content-type': photo.type }, signal }).catch(
    (cause: unknown) => {
      if (cancel.aborted) throw cause
      network.recheck()
      throw new ApiError({ kind: timeout.aborted ? 'TIMEOUT_ERROR' : 'FETCH_ERROR', cause })
    },
  )
  // HTTP/2 sends no status text
  if (!response.ok) throw new UploadFailed(response.statusText || String(response.status))
}
