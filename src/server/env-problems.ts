import { isIP } from 'node:net'
import { isEmail } from '#contract/rules/email.ts'
import { DEMO_PRICES, DEMO_TOKEN_PRICE, DEMO_TOKEN_PROMOTION } from './demo-prices.ts'
import { addressParts } from './database-address.ts'
import type { Variables } from './env-variables.ts'
import { isThisMachine } from './local-address.ts'
import { signingKeysProblem } from './signing-keys.ts'

/**
 * Finds mistakes in the settings. Each is a sentence that begins with the setting, by which the doctor sorts it, and says what to do
 * (SECURITY-18).
 */

/** Settings that production requires, since it uses no stand-ins and generates no secrets. */
const NEEDED_IN_PRODUCTION = [
  'PUBLIC_URL',
  'DATABASE_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'TOKEN_SIGNING_KEYS',
  'REFRESH_KEY',
  'CODE_PEPPER',
  'OPERATOR_KEY',
  'AUDIT_KEY',
  'TRUST_PROXY',
  'ASSESSMENT_PRICES',
  'TOKEN_PRICE',
  'TOKEN_PROMOTION',
  'LINK_WEBSITE',
  'LINK_VIDEO_CHANNEL',
  'LINK_LEARN_MORE',
] as const satisfies (keyof Variables)[]

/** All or none of a group must be set: a missing one is a mistake, not a request for the stand-in. */
const TOGETHER = [
  ['S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_ENDPOINT'],
  ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
] as const satisfies (keyof Variables)[][]

// not needed for Amazon's own store
const OPTIONAL: ReadonlySet<string> = new Set(['S3_ENDPOINT'])

const KEYS = 'make it by `npx touchline keys`'
const STRIPE = "copy it from the provider's dashboard, Developers"
const S3 = 'name the bucket for pictures and the key to it'
const WHAT_TO_DO: Partial<Record<keyof Variables, string>> = {
  PUBLIC_URL: 'the address people use, such as https://portal.example.com',
  DATABASE_URL: 'such as postgres://user:password@host:5432/touchline',
  SMTP_URL: 'such as smtps://user:password@mail.example.com:465',
  MAIL_FROM: 'such as Club <club@example.com>, whose replies somebody reads',
  STRIPE_SECRET_KEY: STRIPE,
  STRIPE_PUBLISHABLE_KEY: STRIPE,
  STRIPE_WEBHOOK_SECRET: "copy it from the provider's dashboard, where the webhook is",
  S3_REGION: S3,
  S3_BUCKET: S3,
  S3_ACCESS_KEY_ID: S3,
  S3_SECRET_ACCESS_KEY: S3,
  TOKEN_SIGNING_KEYS: KEYS,
  REFRESH_KEY: KEYS,
  CODE_PEPPER: KEYS,
  OPERATOR_KEY: KEYS,
  AUDIT_KEY: KEYS,
  ASSESSMENT_PRICES: "list the provider's prices as .env.example does",
  TOKEN_PRICE: "name the provider's price of one token as .env.example does",
  TOKEN_PROMOTION: "name the provider's coupon as .env.example does",
  LINK_WEBSITE: 'where the link leads',
  LINK_VIDEO_CHANNEL: 'where the link leads',
  LINK_LEARN_MORE: 'where the link leads',
  TRUST_PROXY: 'name the addresses or networks of your proxies, or write none if there is none',
}

/** @param reported settings that have a problem already */
export function problemsOf(set: Variables, reported: ReadonlySet<string>): string[] {
  const isProduction = set.TOUCHLINE_MODE === 'production'
  return [
    ...missing(set, isProduction)
      .filter((name) => !reported.has(name))
      .map((name) => `${name} is missing${WHAT_TO_DO[name] === undefined ? '' : `: ${WHAT_TO_DO[name]}`}`),
    ...publicUrlProblems(set, isProduction),
    ...mailProblems(set, isProduction),
    ...stripeProblems(set, isProduction),
    ...secretProblems(set),
    ...proxyProblems(set),
    ...metricsProblems(set),
    ...originProblems(set),
    ...priceProblems(set, isProduction),
    ...(isProduction ? limitProblems(set) : []),
    ...databaseProblems('DATABASE_URL', set, isProduction),
    ...databaseProblems('READ_DATABASE_URL', set, isProduction),
    ...replicaProblems(set),
    ...objectStoreProblems(set, isProduction),
  ]
}

/** Reported at start in production, which may be a trial. */
export function testMode({ STRIPE_SECRET_KEY: key }: Variables): string[] {
  return /^[sr]k_test_/.test(key ?? '') ? ['STRIPE_SECRET_KEY is a key of the test mode: no money moves'] : []
}

/** Links that are not set, which production reports at start. OPERATE-3 */
export function unsetLinks(set: Variables): { setting: string; message: string }[] {
  const links = ['LINK_TERMS', 'LINK_PRIVACY', 'LINK_CONTACT'] as const
  return links
    .filter((name) => set[name] === undefined)
    .map((name) => ({ setting: name, message: `${name} is not set: its link goes nowhere` }))
}

function missing(set: Variables, isProduction: boolean): (keyof Variables)[] {
  const isSet = (name: keyof Variables) => {
    const value = set[name]
    return Array.isArray(value) ? value.length > 0 : value !== undefined
  }
  const halves = TOGETHER.filter((names) => names.some(isSet)).flatMap((names) => names.filter((name) => !OPTIONAL.has(name)))
  const needed = new Set<keyof Variables>(isProduction ? [...NEEDED_IN_PRODUCTION, ...halves] : halves)
  return [...needed].filter((name) => !isSet(name))
}

function publicUrlProblems({ PUBLIC_URL: text }: Variables, isProduction: boolean): string[] {
  if (text === undefined) return []
  const { protocol, pathname, search, hash, username, password } = new URL(text)
  const isBare = pathname === '/' && search === '' && hash === '' && username === '' && password === ''
  return [
    ...(isBare ? [] : ['PUBLIC_URL must be an origin such as https://portal.example.com, without a path, query, # or user name']),
    ...(isProduction && protocol === 'http:' ? ['PUBLIC_URL must be https'] : []),
  ]
}

function mailProblems({ MAIL_FROM: from, MAIL_BOUNCE_ADDRESS: bounces, SMTP_URL: smtp }: Variables, isProduction: boolean): string[] {
  const address = from === undefined ? undefined : (/^[^<>\r\n]*<([^<>]*)>$/.exec(from.trim())?.[1] ?? from)
  return [
    ...(address === undefined || isEmail(address)
      ? []
      : ['MAIL_FROM must be an e-mail address, or a name and one: Club <club@example.com>']),
    ...(bounces === undefined || isEmail(bounces) ? [] : ['MAIL_BOUNCE_ADDRESS must be an e-mail address such as bounces@example.com']),
    ...(smtp === undefined || !isProduction || /^smtps?:\/\/[^/?]/.test(smtp) ? [] : ['SMTP_URL must be smtp: or smtps:']),
    ...(smtp === undefined || URL.canParse(smtp) ? [] : ['SMTP_URL must be an address such as smtps://user:password@mail.example.com:465']),
    ...(smtp === undefined || !isProduction || !URL.canParse(smtp) ? [] : insecureMail(new URL(smtp))),
  ]
}

/** What the mail library takes from an address, and would send codes readable, or to anybody. */
function insecureMail({ hostname, searchParams }: URL): string[] {
  if (isThisMachine(hostname)) return []
  return [
    ...(isOn(searchParams.get('ignoreTLS'))
      ? ['SMTP_URL has ignoreTLS: remove it, or write requireTLS=false if the network in between is private']
      : []),
    ...(searchParams.get('tls.rejectUnauthorized') === 'false'
      ? ['SMTP_URL has tls.rejectUnauthorized=false: remove it, and name a private authority in NODE_EXTRA_CA_CERTS']
      : []),
  ]
}

const isOn = (value: string | null) => value !== null && value !== 'false'

const KEY_KINDS = [
  ['STRIPE_SECRET_KEY', /^[sr]k_(test|live)_/, 'sk_ or rk_'],
  ['STRIPE_PUBLISHABLE_KEY', /^pk_(test|live)_/, 'pk_'],
  ['STRIPE_WEBHOOK_SECRET', /^whsec_/, 'whsec_'],
] as const

function stripeProblems(set: Variables, isProduction: boolean): string[] {
  const problems: string[] = []
  for (const [name, isRight, start] of KEY_KINDS) {
    // a demo may use a fake card provider with other keys, but the publishable key is checked, since browsers get it
    const isChecked = isProduction || name === 'STRIPE_PUBLISHABLE_KEY'
    if (isChecked && [set[name] ?? []].flat().some((value) => !isRight.test(value))) problems.push(`${name} must start with ${start}`)
  }
  if (new Set(set.STRIPE_WEBHOOK_SECRET).size < set.STRIPE_WEBHOOK_SECRET.length)
    problems.push('STRIPE_WEBHOOK_SECRET has a secret twice: name each once, the newest first')
  const kindOf = (key: string | undefined) => /^[srp]k_(test|live)_/.exec(key ?? '')?.[1]
  const secret = kindOf(set.STRIPE_SECRET_KEY)
  const publishable = kindOf(set.STRIPE_PUBLISHABLE_KEY)
  if (secret !== undefined && publishable !== undefined && secret !== publishable)
    problems.push(`STRIPE_SECRET_KEY is a ${secret} key and STRIPE_PUBLISHABLE_KEY a ${publishable} one: use both of the same mode`)
  return problems
}

const SECRET_LENGTH_MINIMUM = 32
/** What is sent as a bearer token: with other characters no caller would ever be let in. */
const SENT = new Set(['OPERATOR_KEY', 'MAIL_BOUNCE_KEY'])
const SENDABLE = /^[\w.~+/=-]{1,200}$/
// one in 27 million strings of 32 random hexadecimal digits has fewer
const SECRET_CHARACTERS_MINIMUM = 8
const SECRET_ADVICE = 'use what `npx touchline keys` prints'

interface Secret {
  name: string
  value: string
}

function secretProblems(set: Variables): string[] {
  const { REFRESH_KEY, CODE_PEPPER, OPERATOR_KEY, AUDIT_KEY, MAIL_BOUNCE_KEY } = set
  const secrets = Object.entries({ REFRESH_KEY, CODE_PEPPER, OPERATOR_KEY }).flatMap(([name, value]) =>
    value === undefined ? [] : { name, value },
  )
  const lists = Object.entries({ AUDIT_KEY, MAIL_BOUNCE_KEY }).flatMap(([name, values]) => values.map((value) => ({ name, value })))
  const all = [...secrets, ...lists]
  const problems: string[] = []
  for (const [place, secret] of all.entries()) {
    const problem = secretProblem(secret, all.slice(0, place))
    if (problem !== undefined) problems.push(`${problem}: ${SECRET_ADVICE}`)
  }
  const ofSigningKeys = set.TOKEN_SIGNING_KEYS === undefined ? undefined : signingKeysProblem(set.TOKEN_SIGNING_KEYS)
  if (ofSigningKeys !== undefined) problems.push(ofSigningKeys)
  return problems
}

function secretProblem({ name, value }: Secret, before: readonly Secret[]): string | undefined {
  const other = before.find((one) => one.value === value)
  if (other) return `${name} is the same as ${other.name}`
  if (value.length < SECRET_LENGTH_MINIMUM) return `${name} is shorter than ${SECRET_LENGTH_MINIMUM} characters`
  if (SENT.has(name) && !SENDABLE.test(value))
    return `${name} has more than 200 characters, or others than letters, digits and .~+/=-_, and cannot be sent`
  const isPattern = new Set(value).size < SECRET_CHARACTERS_MINIMUM || `${value}${value}`.indexOf(value, 1) < value.length
  return isPattern ? `${name} can be guessed, because it is repetitive` : undefined
}

function objectStoreProblems({ S3_ENDPOINT: endpoint }: Variables, isProduction: boolean): string[] {
  return isProduction && endpoint?.startsWith('http:') ? ['S3_ENDPOINT must be https'] : []
}

// names of networks that Fastify knows
const NETWORKS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

function proxyProblems({ TRUST_PROXY: proxies }: Variables): string[] {
  if (proxies.includes('none')) return proxies.length === 1 ? [] : ['TRUST_PROXY has none and other entries: use one or the other']
  return proxies
    .filter((one) => !isNetwork(one))
    .map((one) => `TRUST_PROXY has ${one}, which is not an address or network: ${WHAT_TO_DO.TRUST_PROXY}`)
}

function isNetwork(text: string): boolean {
  if (NETWORKS.has(text)) return true
  const [address = '', prefix, more] = text.split('/')
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (bits === 0 || more !== undefined) return false
  return prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) >= PRIVATE_PREFIX && Number(prefix) <= bits)
}

/** Of fc00::/7, the largest private network: a larger one would trust the X-Forwarded-For of strangers. */
const PRIVATE_PREFIX = 7

function metricsProblems({ METRICS_PORT: port, PORT }: Variables): string[] {
  return port !== undefined && port === PORT ? ['METRICS_PORT is PORT, which everybody reaches: use a port of its own'] : []
}

function originProblems({ PORTAL_ORIGINS, MEDIA_ORIGINS }: Variables): string[] {
  const isOrigin = (text: string) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
  return Object.entries({ PORTAL_ORIGINS, MEDIA_ORIGINS }).flatMap(([name, origins]) =>
    origins.filter((one) => !isOrigin(one)).map((one) => `${name} has ${one}, which is not an origin such as https://app.example.com`),
  )
}

function priceProblems(set: Variables, isProduction: boolean): string[] {
  const { TOKEN_PRICE: token = DEMO_TOKEN_PRICE, ASSESSMENT_PRICES: prices = DEMO_PRICES, TOKEN_PROMOTION: promotion } = set
  // a price id must identify what it buys
  const problems = prices.some((price) => price.id === token.id)
    ? ['TOKEN_PRICE has the id of an assessment’s price: tokens need a price of their own']
    : []
  if (new Set(prices.map(({ id }) => id)).size < prices.length) problems.push('ASSESSMENT_PRICES has a price id twice: name each once')
  if (new Set(prices.map(({ currency }) => currency.toUpperCase())).size > 1)
    problems.push('ASSESSMENT_PRICES has two currencies: use the same for all prices')
  if (!isProduction) return problems
  if (set.ASSESSMENT_PRICES?.some((price) => DEMO_PRICES.some((demo) => demo.id === price.id)))
    problems.push('ASSESSMENT_PRICES is a stand-in')
  if (set.TOKEN_PRICE?.id === DEMO_TOKEN_PRICE.id) problems.push('TOKEN_PRICE is a stand-in')
  if (promotion?.coupon === DEMO_TOKEN_PROMOTION.coupon) problems.push('TOKEN_PROMOTION is a stand-in')
  return problems
}

/** In seconds, as CALL_TIMEOUT_MS of the portal. */
const PORTAL_WAITS = 20

function limitProblems(set: Variables): string[] {
  const { CALL_TIMEOUT_SECONDS: call, MAILS_PER_HOUR: hour = 0, MAILS_PER_DAY: day = hour, MAILS_PER_DAY_IN_ALL: all = day } = set
  return [
    ...(call < PORTAL_WAITS ? [] : [`CALL_TIMEOUT_SECONDS must be less than ${PORTAL_WAITS}, after which the portal gives up`]),
    ...(day <= all ? [] : ['MAILS_PER_DAY is more than MAILS_PER_DAY_IN_ALL: raise the one or lower the other']),
    ...(hour <= day ? [] : ['MAILS_PER_HOUR is more than MAILS_PER_DAY: raise the one or lower the other']),
  ]
}

/** What the driver of Node takes from an address instead of our own: it would look like a pooler that drops them. */
const OWN_LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'query_timeout']

function databaseProblems(name: 'DATABASE_URL' | 'READ_DATABASE_URL', set: Variables, isProduction: boolean): string[] {
  const { [name]: text, DATABASE_TLS: tls } = set
  if (text === undefined) return []
  const hosts = addressParts(text)?.hosts
  const form = `${name} must be postgres://user:password@host:5432/name`
  if (hosts === undefined) return [form]
  // the driver accepts an address without a host; several hosts are checked one by one as they are connected to
  if (!hosts.includes(',') && !URL.canParse(text.replace('@/', '@host/')))
    return [`${form}, with @ : / ? # % in a user or password written as %40 %3A %2F %3F %23 %25`]
  const query = new URLSearchParams(text.split('?')[1] ?? '')
  const limits = OWN_LIMITS.filter((limit) => query.has(limit))
  if (limits.length > 0) return [`${name} sets ${limits.join(' and ')}: remove it, as Touchline sets its own time limits`]
  if (!isProduction) return []
  const names = hosts.split(',').map((host) => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1'))
  const [host] = query.getAll('host')
  const isElsewhere =
    !(host ?? '').startsWith('/') && [...names, ...(host === undefined ? [] : [host])].some((one) => one !== '' && !isThisMachine(one))
  const mode = query.get('sslmode') ?? (['true', '1'].includes(query.get('ssl') ?? '') ? 'verify-full' : 'none')
  if (tls === 'off' || !isElsewhere || ['require', 'verify-ca', 'verify-full'].includes(mode)) return []
  return [
    `${name} is on another machine, and its sslmode is ${mode}: add sslmode=verify-full, or set DATABASE_TLS=off if the network in between is private`,
  ]
}

function replicaProblems({ READ_DATABASE_URL: replica, DATABASE_URL: primary }: Variables): string[] {
  if (replica === undefined) return []
  if (primary === undefined) return ['READ_DATABASE_URL needs DATABASE_URL, of which it is a standby: set both, or neither']
  if (replica === primary) return ['READ_DATABASE_URL is DATABASE_URL: name a standby of it, or remove it']
  return addressParts(replica)?.hosts.includes(',') ? ['READ_DATABASE_URL has several hosts: name one standby for each server process'] : []
}
