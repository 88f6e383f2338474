import type { FastifyInstance } from 'fastify'
import { Refused } from './refusal.ts'

/** A few bytes may unpack to a megabyte, which no limit of arriving bodies counts. No portal compresses what it sends. */
export function refuseCompressedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? ''
    done(['', 'identity'].includes(encoding) ? undefined : new Refused('UNSUPPORTED_MEDIA_TYPE'))
  })
}
