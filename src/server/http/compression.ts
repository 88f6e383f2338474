import { constants as zlib } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { Refused } from './refusal.ts'

/** Each has an encoder of its own, whose memory is many times that of a small reply. */
const AT_ONCE = 64
/** The library sends a reply to a request with this header as it is. */
const UNCOMPRESSED = 'x-no-compression'

/** Compresses replies of calls; files are compressed when they are built. @param atOnce replies; any others are sent as they are */
export async function registerCompression(app: FastifyInstance, atOnce = AT_ONCE): Promise<void> {
  refuseCompressedBodies(app)
  let underWay = 0
  // before the library's own
  app.addHook('onSend', async ({ headers }, reply, payload) => {
    // a compressed file: the library sends it as it is
    if (reply.hasHeader('content-encoding')) return payload
    // a client that has hung up already gets nothing, and no `close` would follow
    if (underWay >= atOnce || reply.raw.closed) headers[UNCOMPRESSED] = 'true'
    else {
      underWay += 1
      reply.raw.once('close', () => {
        underWay -= 1
      })
    }
    return payload
  })
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    // a smaller reply fits into about one packet anyway
    threshold: 2048,
    // quality 4 takes twice the time for 2 to 6 percent fewer bytes; replies are small, so a larger window would only take memory
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 2, [zlib.BROTLI_PARAM_LGWIN]: 18 } },
  })
}

/** A few bytes may unpack to a megabyte, which no limit of arriving bodies counts. No portal compresses what it sends. */
function refuseCompressedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? ''
    done(['', 'identity'].includes(encoding) ? undefined : new Refused('UNSUPPORTED_MEDIA_TYPE'))
  })
}
