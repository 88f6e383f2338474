import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import type { Env } from '../env.ts'
import { Refused } from './refusal.ts'

const YEARS_2 = 63_072_000
// of the empty string: emotion adds an empty style tag and fills it through CSSOM
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

/** Origins of the card provider's script, frames and calls; the sandbox is on our own origin. */
function cardHosts(env: Env) {
  if (env.stripeSecretKey === undefined) return { script: [], frame: ["'self'"], connect: [], img: [] }
  return {
    script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
    frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://checkout.stripe.com', 'https://hooks.stripe.com'],
    connect: ['https://api.stripe.com', 'https://checkout.stripe.com'],
    img: ['https://*.stripe.com'],
  }
}

/**
 * What a page of the portal, and its service worker, may load and call (SECURITY-6).
 * @param page hashes of the page's inline scripts and style
 */
export function pagePolicy(env: Env, page: { scripts: readonly string[]; styles: readonly string[] }): string {
  const cards = cardHosts(env)
  return policyOf({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...page.scripts, ...cards.script],
    'style-src': ["'self'", EMPTY_STYLE, ...page.styles],
    'style-src-attr': ["'none'"],
    'img-src': ["'self'", 'data:', 'blob:', ...env.mediaOrigins, ...cards.img],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...env.mediaOrigins, ...(env.s3 ? [env.s3.origin] : []), ...cards.connect],
    'frame-src': cards.frame,
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    ...(env.publicUrl.startsWith('https:') ? { 'upgrade-insecure-requests': [] } : {}),
  })
}

function policyOf(directives: Record<string, readonly string[]>): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
}

function securityHeaders(env: Env): HelmetOptions {
  return {
    // not a page, so it may load nothing; short, because each of the app's files has it, also on a phone's connection
    contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } },
    strictTransportSecurity: env.publicUrl.startsWith('https:') ? { maxAge: YEARS_2, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    // the portal may be served from another origin than this API and media host (OPERATE-13)
    crossOriginResourcePolicy: { policy: env.portalOrigins.length > 0 ? 'cross-origin' : 'same-origin' },
    xFrameOptions: { action: 'deny' },
    xXssProtection: false,
    xDownloadOptions: false,
  }
}

const PERMISSIONS = 'camera=(), geolocation=(), microphone=(), usb=(), payment=(self "https://js.stripe.com")'

const OF_PAGES = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'permissions-policy',
  'x-request-id',
]

/** Left out of the app's files, where they mean nothing: every header costs bytes on a phone's connection. */
export function leaveOutPageHeaders(reply: FastifyReply): void {
  for (const name of OF_PAGES) reply.removeHeader(name)
}

/** Helmet's headers, computed once on a dummy response: they are the same for all, and cost more per response than the rest of its head. */
export function fixedHeaders(env: Env): FixedHeaders {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(securityHeaders(env))(request, response, () => {})
  const set = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const)
  return { ...Object.fromEntries(set), 'permissions-policy': PERMISSIONS }
}

/** Sets the headers of every reply. True if the call comes from another origin that the settings allow. */
type SetHeaders = (request: FastifyRequest, reply: FastifyReply) => boolean

export type FixedHeaders = Readonly<Record<string, string>>

/**
 * The headers of every reply, refusals and files included (SECURITY-7; parts of a page have fewer), and CORS for the origins in the
 * settings. Credentials are bearer tokens, never cookies. A page replaces this content security policy by its own.
 */
export function headersOf(env: Env, fixed: FixedHeaders): SetHeaders {
  return (request, reply) => {
    reply.headers(fixed).header('x-request-id', request.id)
    const { origin } = request.headers
    if (env.portalOrigins.length === 0) return false
    reply.header('vary', 'Origin')
    if (origin === undefined || !env.portalOrigins.includes(origin)) return false
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', 'retry-after, date, x-request-id')
    return true
  }
}

/** Sets them before anything else, and replies to CORS preflight requests. */
export function registerHeaders(app: FastifyInstance, setHeaders: SetHeaders): void {
  // without a promise, as all that runs for every request
  app.addHook('onRequest', (request, reply, done) => {
    const isAllowed = setHeaders(request, reply)
    // Node would refuse it with no header at all
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) return done(new Refused('INVALID_INPUT'))
    if (!isAllowed || request.method !== 'OPTIONS') return done()
    void reply
      .header('access-control-allow-methods', 'GET, POST, PUT, PATCH')
      .header('access-control-allow-headers', 'authorization, content-type, accept-language, x-touchline-app, idempotency-key')
      .header('access-control-max-age', '600')
      .code(204)
      .send()
  })
}
