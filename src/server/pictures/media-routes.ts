import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PICTURE_BYTES_MAXIMUM } from '#contract/constants.ts'
import type { Deps } from '../deps.ts'
import { timeLeft } from '../http/refuse-after.ts'
import { Refused } from '../http/refusal.ts'
import { allowSlowBody } from '../http/malformed-request.ts'
import { callObjectStore } from './call-object-store.ts'
import { picturePath, PICTURES, uploadPath, UPLOADS } from './picture-paths.ts'
import { isSignedLink } from './signed-links.ts'
import { createRoom } from './room.ts'
import { beginReceiving, findLiveUpload, maySeeFile } from './store.ts'

/** Far longer than for a call: a photo over a slow connection takes this long. */
const UPLOAD_TIMEOUT_SECONDS = 120
/** Of one person, whose earlier ones may still hang on a line that died. */
const UPLOADS_AT_ONCE = 3
/** On their way to an object store whole files are in memory. Nobody waits for room: a connection that is not read from is closed after 30 s. */
const receiving = createRoom(64 * 1024 * 1024, UPLOADS_AT_ONCE * PICTURE_BYTES_MAXIMUM)

/** Uploads and downloads of picture files. Not part of the contract: a signed URL is all the authorisation there is. */
export async function registerMedia(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // streams the file; it is never in memory as a whole
    scope.addContentTypeParser('*', async (_request: FastifyRequest, payload: unknown) => payload)
    scope.put<{ Params: { key: string } }>(`/media/${UPLOADS}/:key`, async (request, reply) => {
      const upload = await beginUpload(deps, request)
      const received = await receiveFile(deps, upload.userId, request)
      if (received === undefined) throw new Refused('UNAVAILABLE', { retryAfter: 5 })
      if (received === 'too-large') throw new Refused('IMAGE_TOO_LARGE')
      return reply.code(204).header('cache-control', 'no-store').send()
    })
    scope.get<{ Params: { file: string } }>(`/media/${PICTURES}/:file`, async (request, reply) => sendPicture(deps, request, reply))
  })
}

/** Checks that the URL is signed, not expired, used for the first time, and for this type of file (PROFILE-40, SECURITY-9). */
async function beginUpload({ db, keys, clock }: Deps, request: FastifyRequest<{ Params: { key: string } }>) {
  const now = clock.now()
  const { key } = request.params
  const upload = isSignedLink(keys, request.url, now) ? await findLiveUpload(db, key, now) : undefined
  if (!upload) throw new Refused('UPLOAD_NOT_FOUND')
  if (request.headers['content-type']?.trim().toLowerCase() !== upload.contentType) throw new Refused('UNSUPPORTED_IMAGE')
  if (Number(request.headers['content-length']) > PICTURE_BYTES_MAXIMUM) throw new Refused('IMAGE_TOO_LARGE')
  if (!(await beginReceiving(db, key, now))) throw new Refused('UPLOAD_NOT_FOUND')
  return upload
}

/** undefined: the store failed, or too much is arriving. */
async function receiveFile({ media, log }: Deps, userId: string, request: FastifyRequest<{ Params: { key: string } }>) {
  const content = request.body instanceof Readable ? request.body : Readable.from([])
  const endSlowBody = allowSlowBody(request.raw.socket, UPLOAD_TIMEOUT_SECONDS)
  try {
    const file = { content, contentType: request.headers['content-type'] ?? '' }
    const path = uploadPath(request.params.key)
    const bytes = Number(request.headers['content-length'] ?? PICTURE_BYTES_MAXIMUM)
    return await callObjectStore(log, () => receiving(userId, bytes, () => media.receive(path, file, PICTURE_BYTES_MAXIMUM)))
  } catch (error) {
    // the client hung up, which is not an error of ours
    if (!request.raw.complete) throw new Refused('REQUEST_TIMEOUT')
    throw error
  } finally {
    endSlowBody()
  }
}

async function sendPicture(deps: Deps, request: FastifyRequest<{ Params: { file: string } }>, reply: FastifyReply): Promise<FastifyReply> {
  const { file } = request.params
  // the signature proves for whom the URL was made; whether they may see the picture is checked on each request
  const viewerId = new URLSearchParams(request.url.slice(request.url.indexOf('?'))).get('for') ?? ''
  const isAllowed = isSignedLink(deps.keys, request.url, deps.clock.now()) && (await maySeeFile(deps.db, file, viewerId))
  if (!isAllowed) throw new Refused('NOT_FOUND')
  const signal = AbortSignal.timeout(timeLeft(reply, deps))
  const picture = await callObjectStore(deps.log, () => deps.media.read(picturePath(file), PICTURE_BYTES_MAXIMUM, signal))
  if (picture === undefined) throw new Refused('UNAVAILABLE', { retryAfter: 5 })
  if (typeof picture === 'string') throw new Refused('NOT_FOUND')
  // not kept by the browser either: an erased person's picture would outlive them there (PRIVACY-8)
  return reply.type('image/jpeg').header('cache-control', 'private, no-store').header('content-disposition', 'inline').send(picture)
}
