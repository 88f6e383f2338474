import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Who may see the pages under /dev/, which show sign-in codes: this machine, or whoever has the secret. design.md 8 */
export interface DevAccess {
  /** the address the server listens on */
  host: string
  /** printed at start; taken as `?secret=` once, then from a cookie */
  secret: string
  /** the pages are reached by https */
  isSecure: boolean
}

const COOKIE = 'touchline-dev'
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i

/** Guards every route of a scope. */
export function guardDevPages(scope: FastifyInstance, access: DevAccess): void {
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isCrossSite(request)) return reply.code(403).type('text/plain').send('cross-site')
    if (isLocal(request, access.host)) return undefined
    if (isSecret(cookieOf(request), access.secret)) return undefined
    if (!isSecret(new URL(request.url, 'http://dev').searchParams.get('secret'), access.secret)) {
      return reply.code(403).type('text/plain').send('?secret=')
    }
    const secure = access.isSecure ? '; Secure' : ''
    reply.header('set-cookie', `${COOKIE}=${access.secret}; Path=/dev; HttpOnly; SameSite=Strict${secure}`)
    return undefined
  })
}

/**
 * The server listens on this machine alone, the name asked for is this machine's (a page elsewhere could point a name
 * of its own here), and no proxy brought the request in.
 */
function isLocal(request: FastifyRequest, host: string): boolean {
  const { headers } = request
  if (headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined) return false
  return LOOPBACK.test(host) && LOOPBACK.test((headers.host ?? '').replace(/:\d+$/, ''))
}

/** A form on somebody else's page; programs send no Sec-Fetch-Site. */
function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return request.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none'
}

function isSecret(given: string | null | undefined, secret: string): boolean {
  if (!given) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(secret))
}

function cookieOf(request: FastifyRequest): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((one) => one.trim())
  return pairs.find((one) => one.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1)
}
