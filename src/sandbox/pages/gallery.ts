import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Where the build of `src/gallery` stands, and what its page may load: the same as the portal's. */
export interface BuiltGallery {
  folder: string
  policy: string
}

/** The folder as `src/tools/gallery.config.ts` has it. */
export const GALLERY_FOLDER = fileURLToPath(new URL('../../../.cache/gallery/', import.meta.url))

/** /dev/gallery: every piece of the portal in its states. `npm start` builds it; without a build there is none. */
export async function registerGallery(scope: FastifyInstance, { folder, policy }: BuiltGallery): Promise<boolean> {
  const isBuilt = existsSync(join(folder, 'src/gallery/gallery.html'))
  if (!isBuilt) return false
  await scope.register(fastifyStatic, { root: join(folder, 'assets'), prefix: '/dev/gallery/assets/', cacheControl: false })
  scope.get('/dev/gallery', async (_request, reply) =>
    reply.header('content-security-policy', policy).sendFile('src/gallery/gallery.html', folder),
  )
  return true
}
