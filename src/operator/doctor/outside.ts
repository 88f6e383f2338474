import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import Stripe from 'stripe'
import { requireTls, s3Of } from '#server/env.ts'
import type { Variables } from '#server/env-variables.ts'
import { localAddress } from '#server/local-address.ts'
import { EVENTS_NEEDED } from '#server/payments/events.ts'
import { checkSmtp } from '#server/outside/mail.ts'
import { s3Media } from '#server/outside/media-s3.ts'
import type { Media } from '#server/outside/media.ts'
import { errorCode } from '#server/error-code.ts'
import { textOf } from '../exit.ts'
import { error, ok, warning, type Finding } from './finding.ts'

/** Checks the external services, each with a probe that leaves nothing behind. */

/** for one reply */
export const TIMEOUT_MS = 8_000

const MAIL_ADVICE: Record<string, string> = {
  EAUTH: 'Correct the user and password in SMTP_URL.',
  EDNS: 'There is no such host: correct its name.',
  ETLS: 'The server and SMTP_URL disagree on TLS: smtps:// is for port 465, smtp:// for 587.',
  ESOCKET: 'Check host and port, and smtps:// for port 465, smtp:// for 587.',
  ECONNECTION: 'Check host and port.',
  ETIMEDOUT: 'It does not answer: check host, port and firewall.',
}

/** Signs in to the mail server, and sends nothing. */
export async function checkMail(url: string, isProduction: boolean, milliseconds = 2 * TIMEOUT_MS): Promise<Finding[]> {
  try {
    await checkSmtp(isProduction ? requireTls(url) : url, milliseconds)
    return [ok('SMTP_URL', 'The mail server lets us in. Whether it takes mail from MAIL_FROM shows with the first mail.')]
  } catch (problem) {
    const code = errorCode(problem) ?? ''
    return [error('SMTP_URL', `The mail server: ${textOf(problem)}. ${MAIL_ADVICE[code] ?? 'Check host, port, user and password.'}`)]
  }
}

/** Which setting an error of the store is about, and what to do. */
const S3_ADVICE: Record<string, { setting: keyof Variables; advice: string }> = {
  InvalidAccessKeyId: { setting: 'S3_ACCESS_KEY_ID', advice: 'Correct S3_ACCESS_KEY_ID.' },
  SignatureDoesNotMatch: { setting: 'S3_SECRET_ACCESS_KEY', advice: 'Correct S3_SECRET_ACCESS_KEY.' },
  NoSuchBucket: { setting: 'S3_BUCKET', advice: 'Make the bucket, or correct S3_BUCKET.' },
  AccessDenied: { setting: 'S3_ACCESS_KEY_ID', advice: 'Let this key put, get, list and delete objects of the bucket.' },
  RequestTimeTooSkewed: { setting: 'S3_ENDPOINT', advice: 'The clock of this machine is wrong: set it with a time service (NTP).' },
  PermanentRedirect: { setting: 'S3_REGION', advice: 'Correct S3_REGION.' },
  AuthorizationHeaderMalformed: { setting: 'S3_REGION', advice: 'Correct S3_REGION.' },
  NoSuchKey: { setting: 'S3_ENDPOINT', advice: 'S3_ENDPOINT is the address of the store alone: take the bucket out of it.' },
}
const OTHER_S3_ADVICE = { setting: 'S3_ENDPOINT', advice: 'Check S3_ENDPOINT, S3_REGION and the network.' }

/** Writes, reads, lists and removes an object, and asks whether browsers may upload. */
export async function checkPictures(set: Variables): Promise<Finding[]> {
  const s3 = s3Of(set)
  if (!s3) return [ok('S3_BUCKET', 'Pictures are stored in DATA_DIR.')]
  const media = s3Media({ ...s3, timeoutMs: TIMEOUT_MS })
  const path = `uploads/doctor-${randomUUID()}`
  const content = Buffer.from('touchline doctor')
  try {
    await media.write(path, content, 'text/plain')
    const read = await media.read(path, 1000)
    await media.remove(path)
    for await (const _ of media.list('uploads')) break
    if (typeof read === 'string' || !read.equals(content))
      return [error('S3_BUCKET', 'The store returned something else than was put there.')]
  } catch (problem) {
    const cause = problem instanceof Error ? problem.cause : undefined
    const name = cause instanceof Error ? cause.name : ''
    const { setting, advice } = S3_ADVICE[name] ?? OTHER_S3_ADVICE
    return [error(setting, `The object store: ${textOf(cause)} (${name}). ${advice}`)]
  }
  const found = [ok('S3_BUCKET', `${s3.bucket} takes, gives back, lists and deletes objects.`)]
  const url = await media.presign?.(path, { contentType: 'image/jpeg', bytes: 1 }, 60)
  if (url === undefined) return found
  if (set.PUBLIC_URL !== undefined) found.push(await checkUploads(url, new URL(set.PUBLIC_URL).origin))
  return [...found, ...(await checkSizes(media, path, url))]
}

/** Whether the store refuses a file of another size than was signed. */
async function checkSizes(media: Media, path: string, url: string): Promise<Finding[]> {
  const put = (body: string) =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': 'image/jpeg' }, signal: AbortSignal.timeout(TIMEOUT_MS) })
  try {
    const [right, larger] = [await put('x'), await put('xx')]
    if (larger.ok)
      return [warning('S3_BUCKET', 'It stores files of another size than was signed for: people can fill it. Use another store.')]
    return right.ok ? [] : [error('S3_BUCKET', `It refuses an upload as a browser makes it, with status ${right.status}.`)]
  } finally {
    await media.remove(path)
  }
}

async function checkUploads(url: string, origin: string): Promise<Finding> {
  const headers = { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' }
  const reply = await fetch(url, { method: 'OPTIONS', headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
  const allowed = reply?.headers.get('access-control-allow-origin')
  if (allowed === origin || allowed === '*') return ok('S3_BUCKET', `Browsers at ${origin} may upload to it.`)
  return warning('S3_BUCKET', `Its CORS does not let browsers at ${origin} upload: allow PUT with content-type from there.`)
}

/** Where the provider's API is, if not at its own address: tests. */
export interface CardHost {
  host: string
  port: number
}

/** Reads from the provider what the settings name, and creates nothing there. */
export async function checkCards(set: Variables, at?: CardHost): Promise<Finding[]> {
  const { STRIPE_SECRET_KEY: secret, ASSESSMENT_PRICES: prices = [], TOKEN_PRICE: token, TOKEN_PROMOTION: promotion } = set
  if (secret === undefined) return [ok('STRIPE_SECRET_KEY', 'Payments are those of the demo.')]
  const stripe = new Stripe(secret, {
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(at ? { ...at, protocol: 'http' as const } : {}),
  })
  try {
    const found: Finding[] = []
    for (const price of prices) found.push(...(await checkPrice(stripe, 'ASSESSMENT_PRICES', price)))
    if (token) found.push(...(await checkPrice(stripe, 'TOKEN_PRICE', token)))
    if (promotion) found.push(...(await checkCoupon(stripe, promotion)))
    found.push(...(await checkWebhook(stripe, set)))
    if (found.length > 0) return found
    // no setting may have named anything to ask for; the server needs this right
    await stripe.checkout.sessions.list({ limit: 1 })
    const mode = /_live_/.test(secret) ? 'live' : 'test'
    const known = [`this key (${mode} mode)`, ...(token || prices.length > 0 ? ['the prices'] : []), ...(promotion ? ['the coupon'] : [])]
    return [ok('STRIPE_SECRET_KEY', `The provider knows ${new Intl.ListFormat('en-GB').format(known)}.`)]
  } catch (problem) {
    if (problem instanceof Stripe.errors.StripeAuthenticationError)
      return [error('STRIPE_SECRET_KEY', 'The provider does not know this key: copy it again from its dashboard.')]
    if (problem instanceof Stripe.errors.StripePermissionError)
      return [error('STRIPE_SECRET_KEY', `This restricted key may not do what is needed: ${problem.message}`)]
    return [
      error('STRIPE_SECRET_KEY', `The card provider does not answer: ${textOf(problem)} Let this machine reach api.stripe.com, port 443.`),
    ]
  }
}

/** Whether the provider sends its events here. It does not show the secret of a webhook again, so that is not compared. */
async function checkWebhook(stripe: Stripe, { PUBLIC_URL: origin, TOUCHLINE_MODE: mode }: Variables): Promise<Finding[]> {
  // on this machine events come by the provider's command line tool, if at all
  if (origin === undefined || mode !== 'production') return []
  const url = `${origin.replace(/\/+$/, '')}/api/stripe/webhook`
  const consequence = 'Until then paid orders are fulfilled only when the buyer comes back, and refunds are not seen.'
  let endpoints: Stripe.WebhookEndpoint[]
  try {
    endpoints = (await stripe.webhookEndpoints.list({ limit: 100 })).data.filter((one) => one.url === url)
  } catch (problem) {
    if (!(problem instanceof Stripe.errors.StripePermissionError)) throw problem
    return [warning('STRIPE_WEBHOOK_SECRET', `This restricted key may not list webhooks: look yourself whether one sends to ${url}.`)]
  }
  const enabled = endpoints.filter(({ status }) => status === 'enabled')
  if (enabled.length === 0) {
    const what = endpoints.length > 0 ? `The webhook to ${url} is disabled: enable it.` : `The provider has no webhook to ${url}: make it.`
    return [error('STRIPE_WEBHOOK_SECRET', `${what} ${consequence}`)]
  }
  const sent = new Set(enabled.flatMap(({ enabled_events: events }) => events))
  const missing = sent.has('*') ? [] : EVENTS_NEEDED.filter((name) => !sent.has(name))
  return missing.length === 0
    ? []
    : [error('STRIPE_WEBHOOK_SECRET', `The webhook to ${url} does not send ${missing.join(', ')}: add them. ${consequence}`)]
}

async function checkPrice(
  stripe: Stripe,
  setting: string,
  wanted: { id: string; unitAmount: number; currency: string },
): Promise<Finding[]> {
  const price = await unlessMissing(stripe.prices.retrieve(wanted.id))
  if (!price)
    return [error(setting, `The provider has no price ${wanted.id} in the mode of this key: copy the id again, of the same mode.`)]
  const is = `${price.unit_amount} ${price.currency.toUpperCase()}`
  const said = `${wanted.unitAmount} ${wanted.currency.toUpperCase()}`
  if (is !== said)
    return [
      error(
        setting,
        `${wanted.id} is ${is} at the provider and ${said} here, in cents: people would be shown another amount than they pay. Correct the setting.`,
      ),
    ]
  return price.active ? [] : [error(setting, `${wanted.id} is archived at the provider: activate it, or name another price.`)]
}

async function checkCoupon(stripe: Stripe, { coupon, promotionValue }: { coupon: string; promotionValue: number }): Promise<Finding[]> {
  const found = await unlessMissing(stripe.coupons.retrieve(coupon))
  if (!found)
    return [error('TOKEN_PROMOTION', `The provider has no coupon ${coupon} in the mode of this key: make it, or correct its name.`)]
  if (found.percent_off === promotionValue) return []
  return [
    error(
      'TOKEN_PROMOTION',
      `${coupon} gives ${found.percent_off ?? 0} % at the provider and ${promotionValue} % here: make them the same.`,
    ),
  ]
}

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (problem) {
    if (problem instanceof Stripe.errors.StripeInvalidRequestError && problem.code === 'resource_missing') return undefined
    throw problem
  }
}

// of a proxy; a server of ours without its database says so itself
const NO_SERVER = new Set([502, 503, 504])

/** Whether the address that people use leads to a server of ours. */
export async function checkAddress(url: string): Promise<Finding[]> {
  try {
    const reply = await fetch(`${url.replace(/\/+$/, '')}/api/health`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = await bodyOf(reply)
    if (isOurs(body)) return [ok('PUBLIC_URL', `${url} leads to a Touchline server.`)]
    if (isUnavailable(body)) return [error('PUBLIC_URL', `${url} leads to a Touchline server that cannot reach its database.`)]
    if (NO_SERVER.has(reply.status))
      return [
        warning(
          'PUBLIC_URL',
          `${url} leads to a proxy that reaches no server (status ${reply.status}): start the server, or correct its address in the proxy.`,
        ),
      ]
    return [
      error('PUBLIC_URL', `${url}/api/health answers with status ${reply.status}, but not as Touchline: check the name and the proxy.`),
    ]
  } catch (problem) {
    const text = textOf(problem)
    const isPlain = /speaks no TLS/.test(text)
    const isTls = /certificate|SSL|TLS/i.test(text)
    const message = `${url} does not answer from this machine: ${text}.`
    return [
      isTls
        ? error(
            'PUBLIC_URL',
            `${message} ${isPlain ? 'Name the port of the proxy, not that of the server.' : 'Correct the certificate of the proxy.'}`,
          )
        : warning('PUBLIC_URL', `${message} If the server runs, check the name, the proxy and the firewall.`),
    ]
  }
}

const bodyOf = (reply: Response): Promise<unknown> => reply.json().catch(() => undefined)

function isUnavailable(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'UNAVAILABLE'
}

function isOurs(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'service' in body && body.service === 'touchline'
}

async function tellsMetrics(reply: Response): Promise<boolean> {
  return (await reply.text()).includes('touchline_replies_total')
}

/** Names of the settings of an address to listen on. */
const SERVER = { port: 'PORT', host: 'HOST', path: '/api/health' } as const
export const METRICS = { port: 'METRICS_PORT', host: 'METRICS_HOST', path: '/metrics' } as const

/** Whether the server can listen, or does. */
export async function checkPort(port: number, host: string, names: typeof SERVER | typeof METRICS = SERVER): Promise<Finding[]> {
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  switch (problem?.code) {
    case undefined:
      return [ok(names.port, `${port} on ${host} is free.`)]
    case 'EADDRINUSE': {
      const reply = await fetch(localAddress({ host, port }) + names.path, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
        () => undefined,
      )
      if (reply && (names === METRICS ? await tellsMetrics(reply) : isOurs(await bodyOf(reply)) || reply.status === 503))
        return [ok(names.port, `A Touchline server listens on ${port}.`)]
      return [error(names.port, `${port} on ${host} is in use by another program: stop it, or choose another ${names.port}.`)]
    }
    case 'EACCES':
      return [
        error(
          names.port,
          `${port} may be used by root only: choose one above 1023${names === SERVER ? ', and let the proxy listen on 443' : ''}.`,
        ),
      ]
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [error(names.host, `${host} is not an address of this machine: choose 127.0.0.1, or 0.0.0.0 for all of its networks.`)]
    default:
      return [error(names.port, `${port} on ${host} cannot be used: ${problem?.message}.`)]
  }
}
