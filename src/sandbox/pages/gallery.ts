import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** The folder with the build of `src/gallery`, and the content security policy of its page, which is the portal's. */
export interface BuiltGallery {
  folder: string
  policy: string
}

/** Must match `outDir` in `src/tools/gallery.config.ts`. */
export const GALLERY_FOLDER = fileURLToPath(new URL('../../../.cache/gallery/', import.meta.url))

/** /dev/gallery: every component of the portal in its states. False if it has not been built; `npm start` builds it. */
export async function registerGallery(scope: FastifyInstance, { folder, policy }: BuiltGallery): Promise<boolean> {
  const isBuilt = existsSync(join(folder, 'src/gallery/gallery.html'))
  if (!isBuilt) return false
  await scope.register(fastifyStatic, { root: join(folder, 'assets'), prefix: '/dev/gallery/assets/', cacheControl: false })
  scope.get('/dev/gallery', async (_request, reply) =>
    reply.header('content-security-policy', policy).sendFile('src/gallery/gallery.html', folder),
  )
  return true
}
