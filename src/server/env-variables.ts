import * as z from 'zod/mini'
import { APP_VERSION, BULK_PERCENT_DEFAULT, BULK_THRESHOLD_DEFAULT } from '#contract/constants.ts'

/** The variables of the environment that are settings, and the form of each (`.env.example`). */

/** What each setting must be, for the error message. */
const wanted = z.registry<{ must: string }>()

const text = z.optional(z.string().check(z.minLength(1)))
const positive = (maximum: number) => z.coerce.number().check(z.int(), z.gte(1), z.lte(maximum))
const whole = (maximum: number) => ({ must: `must be a whole number from 1 to ${maximum}` })
const count = (fallback: number, maximum: number) => z._default(positive(maximum), fallback).register(wanted, whole(maximum))
const choice = <const Options extends readonly string[]>(options: Options) =>
  z.optional(z.enum(options)).register(wanted, { must: `must be one of ${options.join(', ')}` })
const address = z.url({ protocol: /^https?$/ })
const link = z.optional(address).register(wanted, { must: 'must be an address such as https://example.com' })
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
/** The price of one token; not an assessment's price. */
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
const videos = z.array(z.union([address, z.strictObject({ url: address, thumbnail: z.optional(address), title: z.optional(z.string()) })]))

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
  METRICS_PORT: z
    .optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(65_535)))
    .register(wanted, { must: 'must be a port, 1 to 65535' }),
  METRICS_HOST: z._default(z.string(), '127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: link,
  OTEL_TRACES_SAMPLER_ARG: z
    ._default(z.coerce.number().check(z.gte(0), z.lte(1)), 1)
    .register(wanted, { must: 'must be a number from 0 to 1' }),
  DRAIN_SECONDS: z
    .optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(60)))
    .register(wanted, { must: 'must be a whole number from 0 to 60' }),
  PUBLIC_URL: link,
  DATA_DIR: z._default(z.string(), '.data'),
  DATABASE_URL: text,
  READ_DATABASE_URL: text,
  DATABASE_CONNECTIONS: count(16, 1000),
  DATABASE_POOLER: choice(['none', 'transaction']),
  DATABASE_TLS: choice(['required', 'off']),
  SMTP_URL: text,
  MAIL_FROM: text,
  MAIL_BOUNCE_ADDRESS: text,
  MAIL_BOUNCE_KEY: list,
  STRIPE_SECRET_KEY: text,
  STRIPE_PUBLISHABLE_KEY: text,
  STRIPE_WEBHOOK_SECRET: list,
  S3_ENDPOINT: link,
  S3_REGION: text,
  S3_BUCKET: z
    .optional(z.string().check(z.regex(/^[a-z0-9-]{3,63}$/)))
    .register(wanted, { must: 'must be a name of 3 to 63 lowercase letters, digits and hyphens' }),
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
    .register(wanted, { must: `must be from 1 to ${APP_VERSION}, the version of this build: a higher one would lock out every portal` }),
  MINIMUM_AGE: count(13, 99),
  ANSWER_LOG_MONTHS: count(24, 1200),
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

export const settingNames = Object.keys(variables.shape)

export type Variables = z.output<typeof variables>

/** The settings, and those that are invalid. */
export function parseVariables(given: Record<string, string | undefined>): { set: Variables; wrong: { name: string; must: string }[] } {
  const parsed = variables.safeParse(given)
  if (parsed.success) return { set: parsed.data, wrong: [] }
  const shape: Record<string, z.ZodMiniType> = variables.shape
  const wrongNames = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))]
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !wrongNames.includes(name)))
  const placeOf = (name: string) =>
    parsed.error.issues
      .find(({ path }) => path[0] === name && path.length > 1)
      ?.path.slice(1)
      .join('.')
  const wrong = wrongNames.map((name) => {
    const must = (shape[name] && wanted.get(shape[name])?.must) ?? 'is not valid'
    const place = placeOf(name)
    return { name, must: place === undefined ? must : `${must}: ${place} is wrong` }
  })
  return { set: variables.parse(rest), wrong }
}
