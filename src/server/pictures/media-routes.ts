import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PICTURE_BYTES_MAXIMUM } from '#contract/constants.ts'
import type { Deps } from '../deps.ts'
import type { UploadsHere } from '../outside/media.ts'
import { Refused } from '../http/refusal.ts'
import { allowSlowBody } from '../http/unreadable.ts'
import { askMedia } from './ask-media.ts'
import { picturePath, PICTURES, uploadPath, UPLOADS } from './places.ts'
import { isSignedLink } from './signed-links.ts'
import { beginReceiving, findLiveUpload, maySeeFile } from './store.ts'

/** A photo on a bad line: a call would have been given up long before. */
const UPLOAD_TIMEOUT_SECONDS = 120

/** The media host's part of pictures, outside the contract: whoever has a signed address holds the right to use it. */
export async function registerMedia(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // a file is handed on as it arrives, never held whole
    scope.addContentTypeParser('*', async (_request: FastifyRequest, payload: unknown) => payload)
    if ('receive' in deps.media.uploads) {
      const { uploads } = deps.media
      scope.put<{ Params: { key: string } }>(`/media/${UPLOADS}/:key`, async (request, reply) => {
        await mayReceive(deps, request)
        if ((await receiveFile(uploads, request)) === 'too-large') throw new Refused('IMAGE_TOO_LARGE')
        return reply.code(204).header('cache-control', 'no-store').send()
      })
    }
    scope.get<{ Params: { file: string } }>(`/media/${PICTURES}/:file`, async (request, reply) => sendPicture(deps, request, reply))
  })
}

/** The right address, in time, for the first time, with what it was made for (PROFILE-40, SECURITY-9). */
async function mayReceive({ db, keys, clock }: Deps, request: FastifyRequest<{ Params: { key: string } }>): Promise<void> {
  const now = clock.now()
  const { key } = request.params
  const upload = isSignedLink(keys, request.url, now) ? await findLiveUpload(db, key, now) : undefined
  if (!upload) throw new Refused('UPLOAD_NOT_FOUND')
  if (request.headers['content-type']?.trim().toLowerCase() !== upload.contentType) throw new Refused('UNSUPPORTED_IMAGE')
  if (Number(request.headers['content-length']) > PICTURE_BYTES_MAXIMUM) throw new Refused('IMAGE_TOO_LARGE')
  if (!(await beginReceiving(db, key, now))) throw new Refused('UPLOAD_NOT_FOUND')
}

async function receiveFile({ receive }: UploadsHere, request: FastifyRequest<{ Params: { key: string } }>) {
  const content = request.body instanceof Readable ? request.body : Readable.from([])
  const arrived = allowSlowBody(request.raw.socket, UPLOAD_TIMEOUT_SECONDS)
  try {
    return await receive(uploadPath(request.params.key), content, PICTURE_BYTES_MAXIMUM)
  } catch (error) {
    // whoever sent it hung up: nobody hears this, and nobody did wrong
    if (!request.raw.complete) throw new Refused('REQUEST_TIMEOUT')
    throw error
  } finally {
    arrived()
  }
}

async function sendPicture(deps: Deps, request: FastifyRequest<{ Params: { file: string } }>, reply: FastifyReply): Promise<FastifyReply> {
  const { file } = request.params
  // signed, so it names whom the address was made for; what that person may see is asked anew each time
  const viewerId = new URLSearchParams(request.url.slice(request.url.indexOf('?'))).get('for') ?? ''
  const isGood = isSignedLink(deps.keys, request.url, deps.clock.now()) && (await maySeeFile(deps.db, file, viewerId))
  if (!isGood) throw new Refused('NOT_FOUND')
  const picture = await askMedia(deps.log, () => deps.media.read(picturePath(file), PICTURE_BYTES_MAXIMUM))
  if (picture === undefined) throw new Refused('UNAVAILABLE', { retryAfter: 5 })
  if (typeof picture === 'string') throw new Refused('NOT_FOUND')
  // for this person's browser, and no longer than the address lives
  return reply.type('image/jpeg').header('cache-control', 'private, max-age=600').header('content-disposition', 'inline').send(picture)
}
