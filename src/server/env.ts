import { screens } from '#contract/screens.ts'
import { DEMO_PRICES, DEMO_TOKEN_PRICE, DEMO_TOKEN_PROMOTION } from './demo-prices.ts'
import { problemsOf, testMode, unsetLinks } from './env-problems.ts'
import { namesLike } from './misspelt-settings.ts'
import { parseVariables, settingNames, type Variables } from './env-variables.ts'
import { isThisMachine } from './local-address.ts'

/** Settings of an installation, from the environment (OPERATE-2, `.env.example`). Read once, at start. */

export type Env = ReturnType<typeof readEnv>

interface Settings {
  /** those that are valid */
  set: Variables
  /** a sentence for each that is missing or wrong, which begins with its name */
  problems: string[]
  /** names that resemble ours */
  misspelt: ReturnType<typeof namesLike>
}

/** The settings, and what is wrong with them. `readEnv` accepts only those without a problem. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  // shells and compose files write an unset variable as an empty one
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const { set, wrong } = parseVariables(given)
  const misspelt = namesLike(settingNames, Object.keys(given))
  // a wrong or misspelt setting is not reported as missing, too
  const reported = new Set([...wrong.map(({ name }) => name), ...misspelt.flatMap(({ like }) => like ?? [])])
  const problems = [
    ...wrong.map(({ name, must }) => `${name} ${must}`),
    ...misspelt.flatMap(({ name, like }) => (like === undefined ? [] : [`${name} is not a setting; did you mean ${like}?`])),
    ...problemsOf(set, reported),
  ]
  return { set, problems, misspelt }
}

/** @throws an Error that names every setting that is missing or wrong */
export function readEnv(environment: Record<string, string | undefined>) {
  const { set, problems, misspelt } = readSettings(environment)
  if (problems.length > 0) throw settingsError(problems)
  const mode = set.TOUCHLINE_MODE ?? 'demo'
  const publicUrl = (set.PUBLIC_URL ?? `http://localhost:${set.PORT}`).replace(/\/+$/, '')
  return {
    mode,
    port: set.PORT,
    host: set.HOST,
    /** undefined: nobody is told them */
    metrics: set.METRICS_PORT === undefined ? undefined : { port: set.METRICS_PORT, host: set.METRICS_HOST },
    /** undefined: no traces. `share` of calls and jobs, 0 to 1 */
    traces:
      set.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { collector: set.OTEL_EXPORTER_OTLP_ENDPOINT, share: set.OTEL_TRACES_SAMPLER_ARG },
    /** how long a stopping server says so before it closes its port; none in a demo, where somebody waits for it to end */
    drainSeconds: set.DRAIN_SECONDS ?? (mode === 'demo' ? 0 : 3),
    publicUrl,
    dataDir: set.DATA_DIR,
    databaseUrl: set.DATABASE_URL,
    /** of a standby, from which coaches' reads may come */
    replicaUrl: set.READ_DATABASE_URL,
    databaseConnections: set.DATABASE_CONNECTIONS,
    databasePooler: set.DATABASE_POOLER,
    smtpUrl: mode === 'production' && set.SMTP_URL !== undefined ? requireTls(set.SMTP_URL) : set.SMTP_URL,
    mailFrom: set.MAIL_FROM ?? 'Touchline <no-reply@touchline.test>',
    /** where mail that cannot be delivered comes back to */
    mailBounceAddress: set.MAIL_BOUNCE_ADDRESS,
    /** of whoever reports such mail, the newest first; none: nobody may */
    mailBounceKeys: set.MAIL_BOUNCE_KEY,
    stripeSecretKey: set.STRIPE_SECRET_KEY,
    stripePublishableKey: set.STRIPE_PUBLISHABLE_KEY,
    /** the newest first */
    stripeWebhookSecrets: set.STRIPE_WEBHOOK_SECRET,
    /** undefined: pictures are stored in DATA_DIR */
    s3: s3Of(set),
    tokenSigningKeys: set.TOKEN_SIGNING_KEYS,
    refreshKey: set.REFRESH_KEY,
    codePepper: set.CODE_PEPPER,
    operatorKey: set.OPERATOR_KEY,
    /** the newest first */
    auditKeys: set.AUDIT_KEY,
    /** addresses or networks of the proxies whose X-Forwarded-For is believed */
    trustProxy: set.TRUST_PROXY.filter((one) => one !== 'none'),
    /** other origins that serve the portal, and other media hosts that it may use */
    portalOrigins: set.PORTAL_ORIGINS,
    mediaOrigins: set.MEDIA_ORIGINS,
    links: {
      website: set.LINK_WEBSITE ?? `${publicUrl}${screens.about.path}`,
      videoChannel: set.LINK_VIDEO_CHANNEL ?? `${publicUrl}${screens.about.path}`,
      learnMore: set.LINK_LEARN_MORE ?? `${publicUrl}${screens.about.path}`,
      /** null: the link goes nowhere (OPERATE-3) */
      terms: set.LINK_TERMS ?? null,
      privacy: set.LINK_PRIVACY ?? null,
      contact: set.LINK_CONTACT ?? null,
    },
    /** logged at start; they do not prevent it */
    warnings: [
      ...misspelt.flatMap(({ name, like }) => (like === undefined ? [`${name} is not a setting of Touchline`] : [])),
      ...(mode === 'production' ? [...testMode(set), ...unsetLinks(set).map(({ message }) => message)] : []),
    ],
    prices: set.ASSESSMENT_PRICES ?? DEMO_PRICES,
    tokenPrice: set.TOKEN_PRICE ?? DEMO_TOKEN_PRICE,
    tokenPromotion: set.TOKEN_PROMOTION ?? DEMO_TOKEN_PROMOTION,
    videos: set.VIDEOS ?? (mode === 'demo' ? [{ url: screens.about.path, thumbnail: '/icons/icon-512.png', title: 'Touchline' }] : []),
    // a demo prints its addresses and accounts at start; a line for each request would hide them
    logLevel: set.LOG_LEVEL ?? (mode === 'demo' ? 'warn' : 'info'),
    minimumAppVersion: set.MINIMUM_APP_VERSION,
    /** years */
    minimumAge: set.MINIMUM_AGE,
    /** how long saves are stored one by one, after the month in which their assessment was allocated */
    answerLogMonths: set.ANSWER_LOG_MONTHS,
    /** until a request has arrived */
    requestTimeoutSeconds: set.REQUEST_TIMEOUT_SECONDS,
    /** until a call has its reply */
    callTimeoutSeconds: set.CALL_TIMEOUT_SECONDS,
    limits: {
      // in a demo everyone signs in to the same few accounts (OPERATE-7)
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

/** Without it, codes would be sent unencrypted to a mail server that offers no TLS, or to anyone who hides that offer. */
export function requireTls(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  if (url.protocol === 'smtp:' && !url.searchParams.has('requireTLS') && !isThisMachine(url.hostname))
    url.searchParams.set('requireTLS', 'true')
  return url.href
}

export function s3Of(set: Variables) {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = set
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = set
  if (region === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined
  /** where browsers upload files; the security policy must allow it */
  const origin = endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : new URL(endpoint).origin
  return { endpoint, region, bucket, accessKeyId, secretAccessKey, origin }
}

function settingsError(problems: string[]): Error {
  return new Error(`The server cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
}
