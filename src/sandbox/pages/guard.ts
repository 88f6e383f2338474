import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSameSecret } from '#server/keys.ts'
import { isThisMachine } from '#server/local-address.ts'

/** What decides who may see the pages under /dev/, which show sign-in codes: people at this machine or with the secret. OPERATE-5 */
export interface DevAccess {
  /** the address the server listens on, and the URL at which the settings say it is reached */
  host: string
  publicUrl: string
  /** the proxies named in the settings */
  trustProxy: readonly string[]
  /** printed at start; accepted as `?secret=` once, then from a cookie */
  secret: string
}

const COOKIE = 'touchline-dev'
// each of these reveals a proxy
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether, by the settings, only this machine can reach the server; then the pages need no secret. */
export function isOfThisMachine({ host, publicUrl, trustProxy }: Omit<DevAccess, 'secret'>): boolean {
  return trustProxy.length === 0 && isThisMachine(host) && isThisMachine(new URL(publicUrl).hostname)
}

/** Guards every route of a scope. */
export function guardDevPages(scope: FastifyInstance, access: DevAccess): void {
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isCrossSite(request)) return reply.code(403).type('text/plain').send('cross-site')
    if (isLocal(request, access)) return undefined
    if (isSameSecret(cookieOf(request) ?? '', access.secret)) return undefined
    if (!isSameSecret(new URL(request.url, 'http://dev').searchParams.get('secret') ?? '', access.secret)) {
      return reply.code(403).type('text/plain').send('?secret=')
    }
    const secure = access.publicUrl.startsWith('https:') ? '; Secure' : ''
    reply.header('set-cookie', `${COOKIE}=${access.secret}; Path=/dev; HttpOnly; SameSite=Strict${secure}`)
    return undefined
  })
}

/**
 * Only this machine can reach the server, the requested host name is this machine's (another site could point its name here), and
 * no proxy forwarded the request. A proxy may not announce itself and may send our own host name: then PUBLIC_URL or TRUST_PROXY
 * reveals it, or HTTP/1.0, which no browser speaks and nginx's plain proxy_pass does (decision 0026).
 */
function isLocal({ headers, raw }: FastifyRequest, access: DevAccess): boolean {
  if (!isOfThisMachine(access)) return false
  if (raw.httpVersion === '1.0' || PROXY_HEADERS.some((name) => headers[name] !== undefined)) return false
  return isThisMachine((headers.host ?? '').replace(/:\d+$/, ''))
}

/** Whether a request was sent by a form on another site. Scripts send no Sec-Fetch-Site. */
function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return request.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none'
}

function cookieOf(request: FastifyRequest): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((one) => one.trim())
  return pairs.find((one) => one.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1)
}
