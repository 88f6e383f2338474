import * as z from 'zod/mini'
import { APP_VERSION, BULK_PERCENT_DEFAULT, BULK_THRESHOLD_DEFAULT } from '#contract/constants.ts'

/** Settings of an installation, from the environment (design.md 8, `.env.example`). Read once, at start. */

const text = z.optional(z.string().check(z.minLength(1)))
const positive = z.coerce.number().check(z.int(), z.gte(1))
const count = (fallback: number) => z._default(positive, fallback)
const link = z.optional(z.url({ protocol: /^https?$/ }))
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
/** From `conditionValue` tokens, `promotionValue` percent off by the provider's `coupon`. §3 Promotion, §9 */
const tokenPromotion = z.strictObject({
  coupon: z.string().check(z.minLength(1)),
  conditionValue: z._default(z.int().check(z.gte(1)), BULK_THRESHOLD_DEFAULT),
  promotionValue: z._default(z.int().check(z.gte(1), z.lte(99)), BULK_PERCENT_DEFAULT),
})
const videos = z.array(z.union([z.string(), z.strictObject({ url: z.string(), thumbnail: z.optional(z.string()) })]))

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
  return z.optional(z.pipe(z.pipe(z.string(), z.transform(parse)), schema))
}

/** The prices of a demo; in production they are the card provider's own. Cents */
const DEMO_PRICES: z.output<typeof prices> = [
  { id: 'price_touchline_profile', unitAmount: 4900, currency: 'USD' },
  { id: 'price_touchline_profile_launch', unitAmount: 3900, currency: 'USD', nickname: 'Launch offer' },
]

const DEMO_TOKEN_PRICE = { id: 'price_touchline_token', unitAmount: 3500, currency: 'USD' }
const DEMO_TOKEN_PROMOTION = {
  coupon: 'coupon_touchline_bulk',
  conditionValue: BULK_THRESHOLD_DEFAULT,
  promotionValue: BULK_PERCENT_DEFAULT,
}

const variables = z.object({
  TOUCHLINE_MODE: z._default(z.enum(['demo', 'production']), 'demo'),
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)), 3000),
  HOST: z._default(z.string(), '127.0.0.1'),
  PUBLIC_URL: link,
  DATA_DIR: z._default(z.string(), '.data'),
  DATABASE_URL: text,
  DATABASE_CONNECTIONS: count(16),
  DATABASE_POOLER: z.optional(z.enum(['none', 'transaction'])),
  SMTP_URL: text,
  MAIL_FROM: text,
  STRIPE_SECRET_KEY: text,
  STRIPE_PUBLISHABLE_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  S3_ENDPOINT: link,
  S3_REGION: text,
  S3_BUCKET: z.optional(z.string().check(z.regex(/^[a-z0-9-]{3,63}$/))),
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
  LOG_LEVEL: z.optional(z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])),
  MINIMUM_APP_VERSION: count(APP_VERSION),
  MINIMUM_AGE: count(13),
  REQUEST_TIMEOUT_SECONDS: count(10),
  CALL_TIMEOUT_SECONDS: count(15),
  MAILS_PER_HOUR: z.optional(positive),
  MAILS_PER_DAY: z.optional(positive),
  MAILS_PER_DAY_IN_ALL: z.optional(positive),
  STARTS_PER_HOUR_PER_ADDRESS: count(300),
  VERIFIES_PER_HOUR_PER_ADDRESS: count(600),
  REFRESHES_PER_HOUR_PER_ADDRESS: count(3000),
  READS_PER_TEN_MINUTES: count(3000),
  WRITES_PER_TEN_MINUTES: count(600),
})

/** In production nothing may be a stand-in, and nothing that guards others may be made up at start. */
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
  'ASSESSMENT_PRICES',
  'TOKEN_PRICE',
  'TOKEN_PROMOTION',
  'LINK_WEBSITE',
  'LINK_VIDEO_CHANNEL',
  'LINK_LEARN_MORE',
] as const

const SECRETS = ['REFRESH_KEY', 'CODE_PEPPER', 'OPERATOR_KEY'] as const
const SECRET_LENGTH_MINIMUM = 32

export type Env = ReturnType<typeof readEnv>

/** Throws an Error that names every setting that is missing or wrong. */
export function readEnv(environment: Record<string, string | undefined>) {
  // an empty variable is one that was not set, as shells and compose files write it
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = variables.safeParse(given)
  if (!parsed.success) throw settingsError(parsed.error.issues.map((issue) => `${issue.path.join('.')} is not valid`))
  const set = parsed.data
  const problems = [
    ...secretProblems(set),
    ...s3Problems(set),
    ...priceProblems(set),
    ...(set.TOUCHLINE_MODE === 'production' ? productionProblems(set) : []),
  ]
  if (problems.length > 0) throw settingsError(problems)
  const publicUrl = (set.PUBLIC_URL ?? `http://localhost:${set.PORT}`).replace(/\/+$/, '')
  return {
    mode: set.TOUCHLINE_MODE,
    port: set.PORT,
    host: set.HOST,
    publicUrl,
    dataDir: set.DATA_DIR,
    databaseUrl: set.DATABASE_URL,
    databaseConnections: set.DATABASE_CONNECTIONS,
    databasePooler: set.DATABASE_POOLER,
    smtpUrl: set.SMTP_URL,
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
    trustProxy: set.TRUST_PROXY,
    /** other origins the portal is served from, and other media hosts it may use */
    portalOrigins: set.PORTAL_ORIGINS,
    mediaOrigins: set.MEDIA_ORIGINS,
    links: {
      website: set.LINK_WEBSITE ?? `${publicUrl}/about`,
      videoChannel: set.LINK_VIDEO_CHANNEL ?? `${publicUrl}/about`,
      learnMore: set.LINK_LEARN_MORE ?? `${publicUrl}/about`,
    },
    prices: set.ASSESSMENT_PRICES ?? DEMO_PRICES,
    tokenPrice: set.TOKEN_PRICE ?? DEMO_TOKEN_PRICE,
    tokenPromotion: set.TOKEN_PROMOTION ?? DEMO_TOKEN_PROMOTION,
    videos: set.VIDEOS ?? (set.TOUCHLINE_MODE === 'demo' ? [{ url: '/about', thumbnail: '/icons/icon-512.png' }] : []),
    // a demo's terminal shows its addresses and accounts, not every request
    logLevel: set.LOG_LEVEL ?? (set.TOUCHLINE_MODE === 'demo' ? 'warn' : 'info'),
    minimumAppVersion: set.MINIMUM_APP_VERSION,
    /** years */
    minimumAge: set.MINIMUM_AGE,
    /** for a request to arrive */
    requestTimeoutSeconds: set.REQUEST_TIMEOUT_SECONDS,
    /** for a call to be answered */
    callTimeoutSeconds: set.CALL_TIMEOUT_SECONDS,
    limits: {
      // in a demo everybody signs in to the same few accounts (not-shown.md#C6)
      mailsPerHour: set.MAILS_PER_HOUR ?? (set.TOUCHLINE_MODE === 'demo' ? 100 : 5),
      mailsPerDay: set.MAILS_PER_DAY ?? (set.TOUCHLINE_MODE === 'demo' ? 1000 : 10),
      mailsPerDayInAll: set.MAILS_PER_DAY_IN_ALL ?? (set.TOUCHLINE_MODE === 'demo' ? 5000 : 60),
      startsPerHourPerAddress: set.STARTS_PER_HOUR_PER_ADDRESS,
      verifiesPerHourPerAddress: set.VERIFIES_PER_HOUR_PER_ADDRESS,
      refreshesPerHourPerAddress: set.REFRESHES_PER_HOUR_PER_ADDRESS,
      readsPerTenMinutes: set.READS_PER_TEN_MINUTES,
      writesPerTenMinutes: set.WRITES_PER_TEN_MINUTES,
    },
  }
}

type Variables = z.output<typeof variables>

const S3 = ['S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

function s3Of(set: Variables) {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = set
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = set
  if (region === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined
  /** where browsers send files: the security policy must let them */
  const origin = endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : new URL(endpoint).origin
  return { endpoint, region, bucket, accessKeyId, secretAccessKey, origin }
}

/** All of them or none: half of a store is a slip, not a wish for the stand-in. */
function s3Problems(set: Variables): string[] {
  const missing = S3.filter((name) => set[name] === undefined)
  const isWanted = missing.length < S3.length || set.S3_ENDPOINT !== undefined
  return isWanted && set.TOUCHLINE_MODE === 'demo' ? missing.map((name) => `${name} is missing`) : []
}

function secretProblems(set: Variables): string[] {
  return SECRETS.filter((name) => set[name] !== undefined && set[name].length < SECRET_LENGTH_MINIMUM).map(
    (name) => `${name} is shorter than ${SECRET_LENGTH_MINIMUM} characters`,
  )
}

/** A price names what it buys. */
function priceProblems({ TOKEN_PRICE: token = DEMO_TOKEN_PRICE, ASSESSMENT_PRICES: prices = DEMO_PRICES }: Variables): string[] {
  return prices.some((price) => price.id === token.id) ? ['TOKEN_PRICE is an assessment’s'] : []
}

function productionProblems(set: Variables): string[] {
  const problems: string[] = NEEDED_IN_PRODUCTION.filter((name) => set[name] === undefined).map((name) => `${name} is missing`)
  if (set.PUBLIC_URL?.startsWith('http:')) problems.push('PUBLIC_URL must be https')
  if (set.SMTP_URL !== undefined && !/^smtps?:\/\//.test(set.SMTP_URL)) problems.push('SMTP_URL must be smtp: or smtps:')
  if (set.DATABASE_URL !== undefined && !/^postgres(ql)?:\/\//.test(set.DATABASE_URL)) problems.push('DATABASE_URL must be postgres:')
  if (set.S3_ENDPOINT?.startsWith('http:')) problems.push('S3_ENDPOINT must be https')
  if (set.STRIPE_WEBHOOK_SECRET !== undefined && !set.STRIPE_WEBHOOK_SECRET.startsWith('whsec_'))
    problems.push('STRIPE_WEBHOOK_SECRET is a stand-in')
  if (set.ASSESSMENT_PRICES?.some((price) => DEMO_PRICES.some((demo) => demo.id === price.id)))
    problems.push('ASSESSMENT_PRICES is a stand-in')
  if (set.TOKEN_PRICE?.id === DEMO_TOKEN_PRICE.id) problems.push('TOKEN_PRICE is a stand-in')
  if (set.TOKEN_PROMOTION?.coupon === DEMO_TOKEN_PROMOTION.coupon) problems.push('TOKEN_PROMOTION is a stand-in')
  if (set.STRIPE_SECRET_KEY !== undefined && !/^(sk|rk)_/.test(set.STRIPE_SECRET_KEY)) problems.push('STRIPE_SECRET_KEY is a stand-in')
  return problems
}

function settingsError(problems: string[]): Error {
  return new Error(`The settings do not allow a start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
}
