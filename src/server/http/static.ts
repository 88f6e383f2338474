import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { everyScreen, patternOf } from '#contract/screens.ts'
import { leaveOutPageHeaders } from './headers.ts'
import { refuseUnknown } from './not-found.ts'

/** Folders of the build with hundreds of files. */
const MANY = ['assets', 'media'] as const
const LISTED_EVERY_MS = 1000

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url))

/** The URL of a screen is served with status 200 and any other page URL with 404, both with index.html. SHELL-1 */
const SCREENS = everyScreen.map(patternOf)

// files with hashed names never change; these do
const REVALIDATED = /(\/|^)(index\.html|sw\.js|manifest(\.\w+)?\.webmanifest)$/
const HASHED = /\/(assets|media\/content)\//
// files with a policy of their own: the page, and the service workers
const RUN_BY_POLICY = /(\/|^)(index\.html|sw(-remove)?\.js)$/

// loaded by pages only: opened directly, it is shown as text
const PART = /\.(js|css|json|woff2)$/

/** CSP hashes of the inline scripts (src/boot) and the inline style in the built page. SECURITY-6 */
export function inlineHashesOf(folder: string = DIST): { scripts: string[]; styles: string[] } {
  const page = join(folder, 'index.html')
  const html = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const hashes = (tag: RegExp) =>
    [...html.matchAll(tag)].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return { scripts: hashes(/<script>([^]*?)<\/script>/g), styles: hashes(/<style>([^]*?)<\/style>/g) }
}

/** Serves the built portal, its media, and index.html for the URL of every screen. @param policy the pages' CSP */
export async function registerFiles(app: FastifyInstance, policy: string, folder: string = DIST): Promise<void> {
  const isBuilt = existsSync(new URL('index.html', `file://${folder}`))
  if (isBuilt) {
    const options: FastifyStaticOptions = {
      root: folder,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const name = path.replace(/\.(br|gz)$/, '')
        void reply.header('cache-control', cachingOf(name))
        if (RUN_BY_POLICY.test(name)) void reply.header('content-security-policy', policy)
        else if (PART.test(name)) leaveOutPageHeaders(reply)
      },
    }
    // one route for each file, except the hundreds in these folders
    await app.register(fastifyStatic, { ...options, wildcard: false, globIgnore: MANY.map((name) => `${name}/**`) })
    for (const name of MANY) serveMany(app, folder, name)
  }
  app.setNotFoundHandler((request, reply) => {
    if (!isBuilt || !wantsShell(request)) return refuseUnknown(request, reply)
    const isScreen = SCREENS.some((screen) => screen.test(pathOf(request)))
    return sendShell(reply, isScreen ? 200 : 404)
  })
}

/**
 * Serves a folder by a list of its files: the package's own route for a folder reads the whole folder for each call. It is listed anew for a
 * file that is not in it, as the folder may have been built since, but seldom: whoever asks for such files must not hold up others.
 */
function serveMany(app: FastifyInstance, folder: string, name: (typeof MANY)[number]): void {
  const root = join(folder, name)
  const list = () => {
    const files = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : []
    return { files: new Set(files.map((file) => file.replaceAll(sep, '/'))), at: performance.now() }
  }
  let listed = list()
  app.get<{ Params: { '*': string } }>(`/${name}/*`, (request, reply) => {
    const file = request.params['*']
    if (!listed.files.has(file) && performance.now() - listed.at > LISTED_EVERY_MS) listed = list()
    return listed.files.has(file) ? reply.sendFile(`${name}/${file}`) : reply.callNotFound()
  })
}

function cachingOf(path: string): string {
  if (REVALIDATED.test(path)) return 'no-cache'
  return HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

function pathOf(request: FastifyRequest): string {
  return request.url.replace(/\?.*$/, '')
}

/** Whether a request is a navigation, and not for the API or a file. */
function wantsShell(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = pathOf(request)
  return !/^\/(api|media|dev|assets)(\/|$)/.test(path) && !/\.[^/]*$/.test(path)
}

function sendShell(reply: FastifyReply, status: 200 | 404): FastifyReply {
  return reply.code(status).sendFile('index.html')
}
