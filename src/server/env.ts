import * as z from 'zod/mini'
import { APP_VERSION, BULK_PERCENT_DEFAULT, BULK_THRESHOLD_DEFAULT } from '#contract/constants.ts'
import { screens } from '#contract/screens.ts'
import { DEMO_PRICES, DEMO_TOKEN_PRICE, DEMO_TOKEN_PROMOTION } from './demo-prices.ts'
import { isThisMachine, namesLike, problemsOf, unsetLinks } from './env-problems.ts'

/** Settings of an installation, from the environment (OPERATE-2, `.env.example`). Read once, at start. */

/** What a setting must be, in words for whoever wrote another thing. */
const wanted = z.registry<{ must: string }>()

const text = z.optional(z.string().check(z.minLength(1)))
const positive = (maximum: number) => z.coerce.number().check(z.int(), z.gte(1), z.lte(maximum))
const whole = (maximum: number) => ({ must: `must be a whole number from 1 to ${maximum}` })
const count = (fallback: number, maximum: number) => z._default(positive(maximum), fallback).register(wanted, whole(maximum))
const choice = <const Options extends readonly string[]>(options: Options) =>
  z.optional(z.enum(options)).register(wanted, { must: `must be one of ${options.join(', ')}` })
const link = z.optional(z.url({ protocol: /^https?$/ })).register(wanted, { must: 'must be an address such as https://example.com' })
const list = z.pipe(
  z._default(z.string(), ''),
  z.transform((value: string) =>
    value
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  ),
)

const prices = z
  .array(
    z.strictObject({
      id: z.string().check(z.minLength(1)),
      unitAmount: z.int().check(z.gte(0)),
      currency: z.string().check(z.regex(/^[A-Za-z]{3}$/)),
      nickname: z.optional(z.string()),
    }),
  )
  .check(z.minLength(1))
/** One token; never an assessment's price. */
const tokenPrice = z.strictObject({
  id: z.string().check(z.minLength(1)),
  unitAmount: z.int().check(z.gte(1)),
  currency: z.string().check(z.regex(/^[A-Za-z]{3}$/)),
})
/** From `conditionValue` tokens, `promotionValue` percent off by the provider's `coupon`. TOKENS-10, TOKENS-8 */
const tokenPromotion = z.strictObject({
  coupon: z.string().check(z.minLength(1)),
  conditionValue: z._default(z.int().check(z.gte(1)), BULK_THRESHOLD_DEFAULT),
  promotionValue: z._default(z.int().check(z.gte(1), z.lte(99)), BULK_PERCENT_DEFAULT),
})
const videos = z.array(
  z.union([z.string(), z.strictObject({ url: z.string(), thumbnail: z.optional(z.string()), title: z.optional(z.string()) })]),
)

/** A setting written as JSON. */
function json<Schema extends z.ZodMiniType>(schema: Schema) {
  const parse = (text: string, context: z.core.ParsePayload) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.issues.push({ code: 'custom', message: 'not JSON', input: text })
      return z.NEVER
    }
  }
  return z
    .optional(z.pipe(z.pipe(z.string(), z.transform(parse)), schema))
    .register(wanted, { must: 'must be JSON as .env.example shows it' })
}

const variables = z.object({
  TOUCHLINE_MODE: choice(['demo', 'production']),
  PORT: z
    ._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)), 3000)
    .register(wanted, { must: 'must be a port, 0 to 65535' }),
  HOST: z._default(z.string(), '127.0.0.1'),
  PUBLIC_URL: link,
  DATA_DIR: z._default(z.string(), '.data'),
  DATABASE_URL: text,
  DATABASE_CONNECTIONS: count(16, 1000),
  DATABASE_POOLER: choice(['none', 'transaction']),
  DATABASE_TLS: choice(['required', 'off']),
  SMTP_URL: text,
  MAIL_FROM: text,
  STRIPE_SECRET_KEY: text,
  STRIPE_PUBLISHABLE_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  S3_ENDPOINT: link,
  S3_REGION: text,
  S3_BUCKET: z
    .optional(z.string().check(z.regex(/^[a-z0-9-]{3,63}$/)))
    .register(wanted, { must: 'must be a name of 3 to 63 small letters, digits and hyphens' }),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  TOKEN_SIGNING_KEYS: text,
  REFRESH_KEY: text,
  CODE_PEPPER: text,
  OPERATOR_KEY: text,
  AUDIT_KEY: list,
  TRUST_PROXY: list,
  PORTAL_ORIGINS: list,
  MEDIA_ORIGINS: list,
  ASSESSMENT_PRICES: json(prices),
  TOKEN_PRICE: json(tokenPrice),
  TOKEN_PROMOTION: json(tokenPromotion),
  VIDEOS: json(videos),
  LINK_WEBSITE: link,
  LINK_VIDEO_CHANNEL: link,
  LINK_LEARN_MORE: link,
  LINK_TERMS: link,
  LINK_PRIVACY: link,
  LINK_CONTACT: link,
  LOG_LEVEL: choice(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']),
  MINIMUM_APP_VERSION: z
    ._default(positive(APP_VERSION), APP_VERSION)
    .register(wanted, { must: `must be from 1 to ${APP_VERSION}, the version of this build: a higher one would shut out every portal` }),
  MINIMUM_AGE: count(13, 99),
  REQUEST_TIMEOUT_SECONDS: count(10, 300),
  CALL_TIMEOUT_SECONDS: count(15, 300),
  MAILS_PER_HOUR: z.optional(positive(10_000)).register(wanted, whole(10_000)),
  MAILS_PER_DAY: z.optional(positive(10_000)).register(wanted, whole(10_000)),
  MAILS_PER_DAY_IN_ALL: z.optional(positive(100_000)).register(wanted, whole(100_000)),
  STARTS_PER_HOUR_PER_ADDRESS: count(300, 1_000_000),
  VERIFIES_PER_HOUR_PER_ADDRESS: count(600, 1_000_000),
  REFRESHES_PER_HOUR_PER_ADDRESS: count(3000, 1_000_000),
  READS_PER_TEN_MINUTES: count(3000, 1_000_000),
  WRITES_PER_TEN_MINUTES: count(600, 1_000_000),
})

export type Env = ReturnType<typeof readEnv>

/** Throws an Error that names every setting that is missing, wrong or cannot be meant. */
export function readEnv(environment: Record<string, string | undefined>) {
  // an empty variable is one that was not set, as shells and compose files write it
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const { set, wrong } = parse(given)
  const names = Object.keys(variables.shape)
  const misspelt = namesLike(names, Object.keys(given))
  // one that is wrong or misspelt is not missing too
  const said = new Set([...wrong.map(({ name }) => name), ...misspelt.flatMap(({ like }) => like ?? [])])
  const problems = [
    ...wrong.map(({ name, must }) => `${name} ${must}`),
    ...misspelt.flatMap(({ name, like }) => (like === undefined ? [] : [`${name} is not a setting; did you mean ${like}?`])),
    ...problemsOf(set, said),
  ]
  if (problems.length > 0) throw settingsError(problems)
  const mode = set.TOUCHLINE_MODE ?? 'demo'
  const publicUrl = (set.PUBLIC_URL ?? `http://localhost:${set.PORT}`).replace(/\/+$/, '')
  return {
    mode,
    port: set.PORT,
    host: set.HOST,
    publicUrl,
    dataDir: set.DATA_DIR,
    databaseUrl: set.DATABASE_URL,
    databaseConnections: set.DATABASE_CONNECTIONS,
    databasePooler: set.DATABASE_POOLER,
    smtpUrl: mode === 'production' && set.SMTP_URL !== undefined ? insistOnTls(set.SMTP_URL) : set.SMTP_URL,
    mailFrom: set.MAIL_FROM ?? 'Touchline <no-reply@touchline.test>',
    stripeSecretKey: set.STRIPE_SECRET_KEY,
    stripePublishableKey: set.STRIPE_PUBLISHABLE_KEY,
    stripeWebhookSecret: set.STRIPE_WEBHOOK_SECRET,
    /** undefined: pictures are kept in a folder of DATA_DIR */
    s3: s3Of(set),
    tokenSigningKeys: set.TOKEN_SIGNING_KEYS,
    refreshKey: set.REFRESH_KEY,
    codePepper: set.CODE_PEPPER,
    operatorKey: set.OPERATOR_KEY,
    /** the newest first */
    auditKeys: set.AUDIT_KEY,
    /** addresses or networks of the proxies whose X-Forwarded-For is believed */
    trustProxy: set.TRUST_PROXY.filter((one) => one !== 'none'),
    /** other origins the portal is served from, and other media hosts it may use */
    portalOrigins: set.PORTAL_ORIGINS,
    mediaOrigins: set.MEDIA_ORIGINS,
    links: {
      website: set.LINK_WEBSITE ?? `${publicUrl}${screens.about.path}`,
      videoChannel: set.LINK_VIDEO_CHANNEL ?? `${publicUrl}${screens.about.path}`,
      learnMore: set.LINK_LEARN_MORE ?? `${publicUrl}${screens.about.path}`,
      /** null: the links lead nowhere (OPERATE-3) */
      terms: set.LINK_TERMS ?? null,
      privacy: set.LINK_PRIVACY ?? null,
      contact: set.LINK_CONTACT ?? null,
    },
    /** what does not keep it from starting, and should be known */
    warnings: [
      ...misspelt.flatMap(({ name, like }) => (like === undefined ? [`${name} is not a setting of Touchline`] : [])),
      ...(mode === 'production' ? unsetLinks(set) : []),
    ],
    prices: set.ASSESSMENT_PRICES ?? DEMO_PRICES,
    tokenPrice: set.TOKEN_PRICE ?? DEMO_TOKEN_PRICE,
    tokenPromotion: set.TOKEN_PROMOTION ?? DEMO_TOKEN_PROMOTION,
    videos: set.VIDEOS ?? (mode === 'demo' ? [{ url: screens.about.path, thumbnail: '/icons/icon-512.png', title: 'Touchline' }] : []),
    // a demo's terminal shows its addresses and accounts, not every request
    logLevel: set.LOG_LEVEL ?? (mode === 'demo' ? 'warn' : 'info'),
    minimumAppVersion: set.MINIMUM_APP_VERSION,
    /** years */
    minimumAge: set.MINIMUM_AGE,
    /** for a request to arrive */
    requestTimeoutSeconds: set.REQUEST_TIMEOUT_SECONDS,
    /** for a call to be answered */
    callTimeoutSeconds: set.CALL_TIMEOUT_SECONDS,
    limits: {
      // in a demo everybody signs in to the same few accounts (OPERATE-7)
      mailsPerHour: set.MAILS_PER_HOUR ?? (mode === 'demo' ? 100 : 5),
      mailsPerDay: set.MAILS_PER_DAY ?? (mode === 'demo' ? 1000 : 10),
      mailsPerDayInAll: set.MAILS_PER_DAY_IN_ALL ?? (mode === 'demo' ? 5000 : 60),
      startsPerHourPerAddress: set.STARTS_PER_HOUR_PER_ADDRESS,
      verifiesPerHourPerAddress: set.VERIFIES_PER_HOUR_PER_ADDRESS,
      refreshesPerHourPerAddress: set.REFRESHES_PER_HOUR_PER_ADDRESS,
      readsPerTenMinutes: set.READS_PER_TEN_MINUTES,
      writesPerTenMinutes: set.WRITES_PER_TEN_MINUTES,
    },
  }
}

export type Variables = z.output<typeof variables>

/** What can be read of it, and which settings are not what they must be. */
function parse(given: Record<string, string | undefined>): { set: Variables; wrong: { name: string; must: string }[] } {
  const parsed = variables.safeParse(given)
  if (parsed.success) return { set: parsed.data, wrong: [] }
  const shape: Record<string, z.ZodMiniType> = variables.shape
  const names = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))]
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))
  const wrong = names.map((name) => ({ name, must: (shape[name] && wanted.get(shape[name])?.must) ?? 'is not valid' }))
  return { set: variables.parse(rest), wrong }
}

/** A mail server that offers no TLS would else be sent codes in clear, and so would whoever stands between. */
function insistOnTls(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  const isSaid = url.searchParams.has('requireTLS') || url.searchParams.has('ignoreTLS')
  if (url.protocol === 'smtp:' && !isSaid && !isThisMachine(url.hostname)) url.searchParams.set('requireTLS', 'true')
  return url.href
}

function s3Of(set: Variables) {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = set
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = set
  if (region === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined
  /** where browsers send files: the security policy must let them */
  const origin = endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : new URL(endpoint).origin
  return { endpoint, region, bucket, accessKeyId, secretAccessKey, origin }
}

function settingsError(problems: string[]): Error {
  return new Error(`The settings do not allow a start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
}
