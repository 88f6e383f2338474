import { describe, expect, test } from 'vitest'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import { CALL_TIMEOUT_MS } from '#app/constants.ts'
import { APP_VERSION } from '#contract/constants.ts'
import { readEnv } from '#server/env.ts'
import { settingNames } from '#server/env-variables.ts'
import { loadKeys } from '#server/keys.ts'
import { productionSettings, secretOf, signingKey } from './production-settings.ts'

test('without settings, the server is a demo for this machine only', () => {
  expect(readEnv({})).toMatchObject({ mode: 'demo', port: 3000, host: '127.0.0.1', dataDir: '.data', databaseUrl: undefined })
  expect(readEnv({ PORT: '', DATABASE_URL: ' ' }).port).toBe(3000)
})

test('a stopping server drains for a while in production and ends at once in a demo; metrics are off by default', () => {
  expect([readEnv({}).drainSeconds, readEnv(productionSettings).drainSeconds]).toEqual([0, 3])
  expect(readEnv({ ...productionSettings, DRAIN_SECONDS: '0' }).drainSeconds).toBe(0)
  expect(readEnv({}).metrics).toBeUndefined()
  expect(readEnv({ METRICS_PORT: '9464' }).metrics).toEqual({ port: 9464, host: '127.0.0.1' })
})

test('variables of other programs are ignored', () => {
  const theirs = { PGHOST: '10.0.0.1', PGPORT: '5432', HOSTNAME: 'web-1', LOGNAME: 'touchline', GHOST: '1', no_proxy: '*' }
  expect(readEnv(theirs).warnings).toEqual([])
})

test('an object store must be complete, even in a demo', () => {
  expect(() => readEnv({ S3_BUCKET: 'touchline-pictures' })).toThrow('S3_SECRET_ACCESS_KEY is missing')
  expect(readEnv({}).s3).toBeUndefined()
  expect(readEnv(productionSettings).s3?.origin).toBe('https://touchline-pictures.s3.eu-west-3.amazonaws.com')
  expect(readEnv({ ...productionSettings, S3_ENDPOINT: 'https://objects.test:9000' }).s3?.origin).toBe('https://objects.test:9000')
})

test('a complete set of production settings is accepted', async () => {
  const env = readEnv(productionSettings)
  expect(env.mode).toBe('production')
  expect(env.tokenPromotion).toEqual({ coupon: 'coupon_1', conditionValue: 12, promotionValue: 20 })
  expect((await loadKeys(env, null)).operatorKey).toBe(productionSettings.OPERATOR_KEY)
})

/** The lines of the error about settings that are refused. */
function refused(settings: Record<string, string | undefined>): string[] {
  try {
    readEnv(settings)
  } catch (error) {
    return String(error)
      .split('\n')
      .slice(1)
      .map((line) => line.replace('  - ', ''))
  }
  return []
}

test('limits of mails that contradict each other are refused in production', () => {
  const mails = (hour: string, day: string) => refused({ ...productionSettings, MAILS_PER_HOUR: hour, MAILS_PER_DAY: day })
  expect(mails('20', '5')).toEqual(['MAILS_PER_HOUR is more than MAILS_PER_DAY: raise the one or lower the other'])
  expect([mails('20', ''), mails('5', '5')]).toEqual([[], []])
  expect(refused({ ...productionSettings, MAILS_PER_DAY: '10', MAILS_PER_DAY_IN_ALL: '3' })).toEqual([
    'MAILS_PER_DAY is more than MAILS_PER_DAY_IN_ALL: raise the one or lower the other',
  ])
})

test('of a setting in JSON the field that is wrong is named', () => {
  const promotion = { coupon: 'x', promotionValue: 10, conditionValue: 0 }
  expect(refused({ TOKEN_PROMOTION: JSON.stringify(promotion) })).toEqual([
    'TOKEN_PROMOTION must be JSON as .env.example shows it: conditionValue is wrong',
  ])
  expect(refused({ TOKEN_PROMOTION: '{' })).toEqual(['TOKEN_PROMOTION must be JSON as .env.example shows it'])
})

test.each(['0.0.0.0/1', '64.0.0.0/2', '::/3'])('a network as large as %s is no proxy’s', (network) => {
  expect(refused({ ...productionSettings, TRUST_PROXY: network })).toEqual([expect.stringMatching(/^TRUST_PROXY has /)])
})

test.each([
  ['smtp://mail.test:25?ignoreTLS=true', 'SMTP_URL has ignoreTLS'],
  ['smtps://mail.test?tls.rejectUnauthorized=false', 'SMTP_URL has tls.rejectUnauthorized=false'],
])('a mail server whose address gives up TLS is refused in production: %s', (url, problem) => {
  expect(refused({ ...productionSettings, SMTP_URL: url })).toEqual([expect.stringContaining(problem)])
  expect(refused({ ...productionSettings, SMTP_URL: url.replace('mail.test', '127.0.0.1') })).toEqual([])
})

test('a signing key of two mixed ones is refused by its setting and place', () => {
  const [mine, other] = [signingKey, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })]
  const mixed = JSON.stringify([mine, { ...other, d: mine.d }])
  expect(refused({ ...productionSettings, TOKEN_SIGNING_KEYS: mixed })).toEqual([
    'TOKEN_SIGNING_KEYS has a key (number 2) whose d does not belong to its x and y: copy it again',
  ])
  expect(refused({ ...productionSettings, TOKEN_SIGNING_KEYS: JSON.stringify([mine, other]) })).toEqual([])
})

describe('SECURITY-18: production refuses to start, naming the setting', () => {
  test.each(Object.keys(productionSettings).filter((name) => name !== 'TOUCHLINE_MODE'))('without %s', (name) => {
    expect(() => readEnv({ ...productionSettings, [name]: undefined })).toThrow(`${name} is missing`)
  })

  test.each([
    ['PUBLIC_URL', 'http://touchline.test'],
    ['PUBLIC_URL', 'nonsense'],
    ['STRIPE_SECRET_KEY', 'sandbox'],
    ['STRIPE_WEBHOOK_SECRET', 'sandbox'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_new,sandbox'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_x,whsec_y,whsec_x'],
    ['DATABASE_URL', 'mysql://x'],
    ['SMTP_URL', 'http://x'],
    ['S3_ENDPOINT', 'http://s3.test'],
    ['S3_BUCKET', 'Not.a.bucket'],
    ['REFRESH_KEY', 'short'],
    ['CODE_PEPPER', 'short'],
    ['OPERATOR_KEY', 'short'],
    ['OPERATOR_KEY', 'correct horse battery staple, and more'],
    ['OPERATOR_KEY', `${secretOf('a key')}é`],
    ['OPERATOR_KEY', secretOf('a key').repeat(6).slice(1)],
    ['MAIL_BOUNCE_KEY', `${secretOf('a key')}!`],
    ['ASSESSMENT_PRICES', '[]'],
    ['ASSESSMENT_PRICES', 'nonsense'],
    ['ASSESSMENT_PRICES', '[{"id":"p","unitAmount":4900,"currency":"USD"},{"id":"p","unitAmount":3900,"currency":"USD","nickname":"x"}]'],
    ['ASSESSMENT_PRICES', '[{"id":"p","unitAmount":4900,"currency":"USD"},{"id":"q","unitAmount":3900,"currency":"EUR","nickname":"x"}]'],
    ['VIDEOS', '["javascript:alert(1)"]'],
    ['VIDEOS', '["nonsense"]'],
    ['VIDEOS', '[{"url":"https://video.test/1","thumbnail":"nonsense"}]'],
    ['CALL_TIMEOUT_SECONDS', String(CALL_TIMEOUT_MS / 1000)],
    ['ASSESSMENT_PRICES', '[{"id":"price_touchline_profile","unitAmount":4900,"currency":"USD"}]'],
    ['TOKEN_PRICE', '{"id":"price_1","unitAmount":3500,"currency":"USD"}'],
    ['TOKEN_PRICE', '{"id":"price_touchline_token","unitAmount":3500,"currency":"USD"}'],
    ['TOKEN_PRICE', '{"id":"price_2","unitAmount":35.5,"currency":"USD"}'],
    ['TOKEN_PROMOTION', '{"coupon":"coupon_touchline_bulk"}'],
    ['TOKEN_PROMOTION', '{"coupon":"coupon_1","promotionValue":100}'],
    ['PORT', 'x'],
    ['PORT', '65536'],
    ['TOUCHLINE_MODE', 'prod'],
    ['MAILS_PER_HOUR', '0'],
    ['DATABASE_CONNECTIONS', '1000000'],
    ['DATABASE_TLS', 'no'],
    ['REQUEST_TIMEOUT_SECONDS', '86400'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_PORT', '0'],
    ['METRICS_PORT', '3000'],
    ['DRAIN_SECONDS', '61'],
    ['DRAIN_SECONDS', 'soon'],
    ['LINK_TERMS', 'terms.html'],
    ['MINIMUM_APP_VERSION', String(APP_VERSION + 1)],
    ['PUBLIC_URL', 'https://touchline.test/app'],
    ['PUBLIC_URL', 'https://touchline.test/?a=1'],
    ['PUBLIC_URL', 'https://touchline.test/#a'],
    ['PUBLIC_URL', 'https://me:too@touchline.test'],
    ['MAIL_FROM', 'nonsense'],
    ['MAIL_FROM', 'Touchline <nonsense>'],
    ['SMTP_URL', 'smtp://'],
    ['STRIPE_PUBLISHABLE_KEY', 'sk_live_oops'],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_test_x'],
    ['STRIPE_SECRET_KEY', 'sk_test_x'],
    ['STRIPE_SECRET_KEY', 'pk_live_x'],
    ['REFRESH_KEY', 'a'.repeat(40)],
    ['CODE_PEPPER', 'abcdefghijkl'.repeat(4)],
    ['OPERATOR_KEY', secretOf('REFRESH_KEY')],
    ['AUDIT_KEY', secretOf('CODE_PEPPER')],
    ['AUDIT_KEY', `${secretOf('one')},${secretOf('one')}`],
    ['AUDIT_KEY', `${secretOf('one')},short`],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', 'none, 10.0.0.1'],
    ['PORTAL_ORIGINS', 'https://app.test/path'],
    ['MEDIA_ORIGINS', "https://media.test; script-src 'unsafe-inline'"],
    ['DATABASE_URL', 'postgres://touchline@db.test/touchline'],
    ['DATABASE_URL', 'postgres://touchline@db.test/touchline?sslmode=disable'],
    ['DATABASE_URL', 'postgres://touchline@db.test/touchline?sslmode=no-verify'],
    ['DATABASE_URL', 'postgres://touchline@127.0.0.1:5432,db.test:5432/touchline'],
    ['DATABASE_URL', 'postgres:///touchline?host=db.test'],
    ['TOKEN_SIGNING_KEYS', 'x'],
    ['TOKEN_SIGNING_KEYS', '[]'],
    ['TOKEN_SIGNING_KEYS', '[{"kty":"RSA"}]'],
    ['TOKEN_SIGNING_KEYS', JSON.stringify([{ ...signingKey, x: 'AAAA' }])],
  ])('with %s=%s', (name, value) => {
    const lines = refused({ ...productionSettings, [name]: value })
    // only this one, and not as missing too
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(name)
    expect(lines[0]).not.toContain('missing')
  })

  test('with all problems in one list', () => {
    const names = ['PORT', 'PUBLIC_URL', 'MAIL_FROM', 'TRUST_PROXY', 'STRIPE_PUBLISHABLE_KEY', 'REFRESH_KEY', 'TOKEN_SIGNING_KEYS']
    const lines = refused({ ...productionSettings, ...Object.fromEntries(names.map((name) => [name, 'true'])), SMTP_URL: undefined })
    for (const name of [...names, 'SMTP_URL'])
      expect(
        lines.filter((line) => line.includes(`${name} `)),
        name,
      ).toHaveLength(1)
  })

  test.each([
    ['DATABASE_CONECTIONS', 'DATABASE_CONNECTIONS'],
    ['STRIPE_SECRETKEY', 'STRIPE_SECRET_KEY'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['touchline_mode', 'TOUCHLINE_MODE'],
  ])('with %s, which is not a setting, and suggests %s', (name, like) => {
    expect(refused({ ...productionSettings, [name]: '1', [like]: undefined })).toContain(`${name} is not a setting; did you mean ${like}?`)
  })

  test('a demo refuses invalid settings, too', () => {
    expect(refused({ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'sk_test_x' })).toEqual([
      "STRIPE_WEBHOOK_SECRET is missing: copy it from the provider's dashboard, where the webhook is",
      'STRIPE_PUBLISHABLE_KEY must start with pk_',
    ])
    expect(refused({ TRUST_PROXY: 'true' })).toHaveLength(1)
    expect(refused({ DATABASE_URL: 'postgres://touchline@db.test/touchline?statement_timeout=60000&lock_timeout=1' })).toEqual([
      'DATABASE_URL sets statement_timeout and lock_timeout: remove it, as Touchline sets its own time limits',
    ])
    expect(refused({ DATABASE_URL: 'abc' })).toEqual(['DATABASE_URL must be postgres://user:password@host:5432/name'])
    const form = [expect.stringContaining('with @ : / ? # % in a user or password written as %40 %3A %2F %3F %23 %25')]
    for (const password of ['a#b', 'a/b', 'a?b'])
      expect(refused({ DATABASE_URL: `postgres://touchline:${password}@db.test:5432/touchline` })).toEqual(form)
    expect(refused({ DATABASE_URL: 'postgres://touchline:a?b@a.test:1,b.test:2/touchline' })).toEqual(form)
    expect(readEnv({ DATABASE_URL: 'postgres://touchline:x@/touchline?host=/var/run/postgresql' }).mode).toBe('demo')
    expect(readEnv({ DATABASE_URL: 'postgres://touchline:a%23b@a.test:1,b.test:2/touchline' }).mode).toBe('demo')
    expect(readEnv({ DATABASE_URL: 'postgres:///touchline?host=/var/run/postgresql' }).mode).toBe('demo')
  })
})

describe('what production accepts', () => {
  test.each([
    ['DATABASE_URL', 'postgres://touchline@db.test/touchline?sslmode=require'],
    ['DATABASE_URL', 'postgres://touchline@db.test/touchline?ssl=true'],
    ['DATABASE_URL', 'postgres://touchline@a.test:1,b.test:2/touchline?sslmode=verify-full'],
    ['DATABASE_URL', 'postgres://touchline@localhost/touchline'],
    ['DATABASE_URL', 'postgres://touchline@[::1]:5432/touchline'],
    ['DATABASE_URL', 'postgres:///touchline?host=/var/run/postgresql'],
    ['TRUST_PROXY', 'none'],
    ['TRUST_PROXY', 'loopback, fd00::/8'],
    ['MAIL_FROM', 'no-reply@touchline.test'],
    ['AUDIT_KEY', `${secretOf('new')},${secretOf('old')}`],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_new, whsec_old'],
    ['PUBLIC_URL', 'https://touchline.test:8443/'],
  ])('%s=%s', (name, value) => {
    expect(readEnv({ ...productionSettings, [name]: value }).mode).toBe('production')
  })

  test('a database without TLS on a network declared private', () => {
    expect(readEnv({ ...productionSettings, DATABASE_URL: 'postgres://touchline@db/touchline', DATABASE_TLS: 'off' }).mode).toBe(
      'production',
    )
  })

  test('TRUST_PROXY=none means no proxy', () => {
    expect(readEnv({ ...productionSettings, TRUST_PROXY: 'none' }).trustProxy).toEqual([])
    expect(readEnv(productionSettings).trustProxy).toEqual(['10.0.0.0/8', '::1'])
  })

  test('a mail server on another machine must offer TLS, unless its URL says otherwise', () => {
    const insists = (smtpUrl: string) => {
      const url = readEnv({ ...productionSettings, SMTP_URL: smtpUrl }).smtpUrl ?? ''
      return 'requireTLS' in createTransport({ url }).options && createTransport({ url }).options
    }
    expect(insists('smtp://me:p%40ss@mail.test:587')).toMatchObject({ requireTLS: true, auth: { user: 'me', pass: 'p@ss' }, port: 587 })
    expect(insists('smtp://mail.test:587?requireTLS=false')).toMatchObject({ requireTLS: false })
    expect(insists('smtp://127.0.0.1:25')).toBe(false)
  })

  test('the test mode of the card provider by its settings alone, with a warning', () => {
    const trial = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x' }
    const [warning] = readEnv({ ...productionSettings, ...trial }).warnings
    expect(warning).toBe('STRIPE_SECRET_KEY is a key of the test mode: no money moves')
    expect(readEnv({ ...productionSettings, ...trial, STRIPE_SECRET_KEY: 'rk_test_x' }).warnings[0]).toBe(warning)
    expect(readEnv(productionSettings).warnings).not.toContain(warning)
  })

  test('missing links and unknown names that resemble settings, with a warning', () => {
    const names = (more: object) => readEnv({ ...productionSettings, ...more }).warnings.map((line) => line.split(' ')[0])
    expect(names({})).toEqual(['LINK_TERMS', 'LINK_PRIVACY', 'LINK_CONTACT'])
    expect(names({ LINK_TERMS: 'https://touchline.test/terms', DATABASE_URL_UNPOOLED: 'x' })).toEqual([
      'DATABASE_URL_UNPOOLED',
      'LINK_PRIVACY',
      'LINK_CONTACT',
    ])
    expect(readEnv({}).warnings).toEqual([])
    const almost = ['TRUST_PROXIES', 'CALL_TIMEOUT', 'REQUEST_TIMEOUT', 'PUBLIC_ADDRESS', 'READS_PER_10_MINUTES', 'WRITES_PER_MINUTE']
    expect(readEnv(Object.fromEntries(almost.map((name) => [name, '1']))).warnings).toEqual(
      almost.map((name) => `${name} is not a setting of Touchline`),
    )
  })
})

test('.env.example has every setting, and no other', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const written = [...example.matchAll(/^#? ?([A-Z0-9_]+)=/gm)].map(([, name]) => String(name))
  expect(written.toSorted()).toEqual(settingNames.toSorted())
})

test.each(['compose.yaml', 'docs/deploy/compose.production.yaml'])('%s names settings, and what its other images have', (path) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const given = [...text.matchAll(/^ {6}([A-Z][A-Z0-9_]+): |\$\{([A-Z][A-Z0-9_]+)/gm)].map(([, name, inserted]) => name ?? inserted ?? '')
  expect(given).toEqual(expect.arrayContaining(['TOUCHLINE_MODE', 'DATABASE_URL', 'POSTGRES_PASSWORD']))
  const ofOthers = /^(POSTGRES_(USER|PASSWORD|DB)|IMAGE_TAG|BACKUPS|PRODUCT|COM_ADOBE_TESTING_S3MOCK_STORE_INITIAL_BUCKETS)$/
  expect(given.filter((name) => !settingNames.includes(name) && !ofOthers.test(name))).toEqual([])
})

test('the minimum age must be positive', () => {
  expect(readEnv({}).minimumAge).toBe(13)
  expect(readEnv({ MINIMUM_AGE: '16' }).minimumAge).toBe(16)
  for (const age of ['0', '-1', 'x']) expect(() => readEnv({ MINIMUM_AGE: age })).toThrow('MINIMUM_AGE must be a whole number from 1 to 99')
})

test('a read replica is a single, different database, and requires DATABASE_URL', () => {
  const [primary, standby] = ['postgres://a@db:5432/touchline', 'postgres://a@standby:5432/touchline']
  expect(readEnv({ DATABASE_URL: primary, READ_DATABASE_URL: standby }).replicaUrl).toBe(standby)
  expect(refused({ READ_DATABASE_URL: standby })).toEqual([expect.stringContaining('READ_DATABASE_URL needs DATABASE_URL')])
  expect(refused({ DATABASE_URL: primary, READ_DATABASE_URL: primary })).toEqual([
    expect.stringContaining('READ_DATABASE_URL is DATABASE_URL'),
  ])
  expect(refused({ DATABASE_URL: primary, READ_DATABASE_URL: 'postgres://a@b,c/touchline' })).toEqual([
    expect.stringContaining('READ_DATABASE_URL has several hosts'),
  ])
  expect(refused({ DATABASE_URL: primary, READ_DATABASE_URL: 'http://standby' })).toEqual([
    'READ_DATABASE_URL must be postgres://user:password@host:5432/name',
  ])
  expect(refused({ ...productionSettings, READ_DATABASE_URL: standby })).toEqual([
    expect.stringMatching(/^READ_DATABASE_URL is on another machine, and its sslmode is none/),
  ])
})
