import { describe, expect, test } from 'vitest'
import { checkSettings } from '#operator/doctor/settings.ts'
import { readSettings } from '#server/env.ts'
import { productionSettings as right, secretOf } from '#tests/server/production-settings.ts'

/** Production settings without a fault, with links and a webhook secret as long as real ones. */
const production: Record<string, string | undefined> = {
  ...right,
  STRIPE_WEBHOOK_SECRET: `whsec_${secretOf('webhook').slice(0, 32)}`,
  HOST: '0.0.0.0',
  MAIL_BOUNCE_KEY: secretOf('bounces'),
  LINK_TERMS: 'https://touchline.test/terms',
  LINK_PRIVACY: 'https://touchline.test/privacy',
  LINK_CONTACT: 'https://touchline.test/contact',
}

const findings = (change: Record<string, string | undefined>) =>
  checkSettings(readSettings({ ...production, ...change })).filter(({ level }) => level !== 'ok')

test('settings without a fault have no finding', () => {
  expect(findings({})).toEqual([])
})

describe('each broken setting is named, alone, with what to do', () => {
  test.each<[string, Record<string, string | undefined>, 'error' | 'warning', string, RegExp]>([
    ['is missing', { DATABASE_URL: undefined }, 'error', 'DATABASE_URL', /is missing: such as postgres:/],
    ['is missing, a key', { CODE_PEPPER: undefined }, 'error', 'CODE_PEPPER', /is missing: make it by `npx touchline keys`/],
    ['is misspelt', { DATABASE_CONECTIONS: '5' }, 'error', 'DATABASE_CONECTIONS', /did you mean DATABASE_CONNECTIONS\?/],
    ['is nobody’s', { TOKEN_COLOUR: 'red' }, 'warning', 'TOKEN_COLOUR', /is not a setting of Touchline: remove it/],
    ['is no URL', { PUBLIC_URL: 'portal' }, 'error', 'PUBLIC_URL', /must be an address such as/],
    ['is unencrypted', { PUBLIC_URL: 'http://touchline.test' }, 'error', 'PUBLIC_URL', /must be https/],
    ['has a path', { PUBLIC_URL: 'https://touchline.test/app' }, 'error', 'PUBLIC_URL', /must be an origin such as/],
    ['is this machine', { PUBLIC_URL: 'https://localhost' }, 'error', 'PUBLIC_URL', /set it to the address that people use/],
    [
      'is no list of keys',
      { TOKEN_SIGNING_KEYS: '[{"kty":"EC"}]' },
      'error',
      'TOKEN_SIGNING_KEYS',
      /must be a JSON list of private P-256 JWKs/,
    ],
    ['is short', { REFRESH_KEY: 'short' }, 'error', 'REFRESH_KEY', /is shorter than 32 characters: use what `npx touchline keys` prints/],
    ['is used twice', { CODE_PEPPER: right.REFRESH_KEY }, 'error', 'CODE_PEPPER', /is the same as REFRESH_KEY/],
    ['repeats itself', { OPERATOR_KEY: 'secret'.repeat(8) }, 'error', 'OPERATOR_KEY', /can be guessed/],
    [
      'is a secret where browsers read it',
      { STRIPE_PUBLISHABLE_KEY: 'sk_live_x' },
      'error',
      'STRIPE_PUBLISHABLE_KEY',
      /must start with pk_/,
    ],
    ['is of the other mode', { STRIPE_PUBLISHABLE_KEY: 'pk_test_x' }, 'error', 'STRIPE_SECRET_KEY', /use both of the same mode/],
    ['is cut off', { STRIPE_WEBHOOK_SECRET: 'whsec_abc' }, 'error', 'STRIPE_WEBHOOK_SECRET', /too short .* copy it again/],
    [
      'is cut off, one of several',
      { STRIPE_WEBHOOK_SECRET: `whsec_abc,whsec_${secretOf('old')}` },
      'error',
      'STRIPE_WEBHOOK_SECRET',
      /One of its secrets is too short/,
    ],
    [
      'has several secrets',
      { STRIPE_WEBHOOK_SECRET: `whsec_${secretOf('new')},whsec_${secretOf('old')}` },
      'warning',
      'STRIPE_WEBHOOK_SECRET',
      /It has 2 secrets.* Remove the older ones/,
    ],
    [
      'names a secret twice',
      { STRIPE_WEBHOOK_SECRET: `whsec_${secretOf('new')},whsec_${secretOf('new')}` },
      'error',
      'STRIPE_WEBHOOK_SECRET',
      /name each once/,
    ],
    ['is of another kind', { STRIPE_WEBHOOK_SECRET: 'we_1' }, 'error', 'STRIPE_WEBHOOK_SECRET', /must start with whsec_/],
    [
      'moves no money',
      { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x' },
      'warning',
      'STRIPE_SECRET_KEY',
      /Before going live, use the live keys/,
    ],
    ['is no mail server', { SMTP_URL: 'http://mail.test' }, 'error', 'SMTP_URL', /must be smtp: or smtps:/],
    ['is no address', { MAIL_FROM: 'the club' }, 'error', 'MAIL_FROM', /must be an e-mail address/],
    ['is not there for mail that comes back', { MAIL_BOUNCE_KEY: undefined }, 'warning', 'MAIL_BOUNCE_KEY', /coaches are not told/],
    ['is short, of a list', { MAIL_BOUNCE_KEY: `${secretOf('bounces')},short` }, 'error', 'MAIL_BOUNCE_KEY', /is shorter than 32/],
    [
      'is no address for mail that comes back',
      { MAIL_BOUNCE_ADDRESS: 'bounces' },
      'error',
      'MAIL_BOUNCE_ADDRESS',
      /must be an e-mail address/,
    ],
    ['is missing of a group', { S3_BUCKET: undefined }, 'error', 'S3_BUCKET', /is missing: name the bucket/],
    ['is unencrypted, the store', { S3_ENDPOINT: 'http://s3.test' }, 'error', 'S3_ENDPOINT', /must be https/],
    ['is no network', { TRUST_PROXY: 'true' }, 'error', 'TRUST_PROXY', /name the addresses or networks of your proxies/],
    ['is none, behind a proxy', { TRUST_PROXY: 'none' }, 'warning', 'TRUST_PROXY', /shares its limits/],
    ['is out of reach of the proxy', { HOST: '127.0.0.1', TRUST_PROXY: '10.0.0.1' }, 'warning', 'HOST', /listen on 0\.0\.0\.0/],
    [
      'buys two things',
      { TOKEN_PRICE: '{"id":"price_1","unitAmount":1,"currency":"USD"}' },
      'error',
      'TOKEN_PRICE',
      /tokens need a price of their own/,
    ],
    ['is no JSON', { TOKEN_PROMOTION: 'coupon' }, 'error', 'TOKEN_PROMOTION', /must be JSON as \.env\.example shows it/],
    ['is another database', { DATABASE_URL: 'mysql://db/touchline' }, 'error', 'DATABASE_URL', /must be postgres:/],
    ['is unencrypted, the database', { DATABASE_URL: 'postgres://db/touchline' }, 'error', 'DATABASE_URL', /add sslmode=verify-full/],
    ['is no port', { PORT: '99999' }, 'error', 'PORT', /must be a port, 0 to 65535/],
    ['is a number of nothing', { DATABASE_CONNECTIONS: '0' }, 'error', 'DATABASE_CONNECTIONS', /must be a whole number from 1 to 1000/],
    ['locks every portal out', { MINIMUM_APP_VERSION: '999' }, 'error', 'MINIMUM_APP_VERSION', /would lock out every portal/],
    ['leads nowhere', { LINK_PRIVACY: undefined }, 'warning', 'LINK_PRIVACY', /its link goes nowhere\. Set it/],
  ])('that %s', (_what, change, level, setting, advice) => {
    expect(findings(change)).toEqual([{ level, setting, message: expect.stringMatching(advice) as string }])
  })
})
