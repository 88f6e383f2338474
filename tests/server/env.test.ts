import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { generateKeyPairSync } from 'node:crypto'
import { readEnv } from '#server/env.ts'
import { loadKeys } from '#server/keys.ts'

const secret = 's'.repeat(40)
const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
const production = {
  TOUCHLINE_MODE: 'production',
  PUBLIC_URL: 'https://touchline.test',
  DATABASE_URL: 'postgres://touchline@db/touchline',
  SMTP_URL: 'smtps://mail.test',
  MAIL_FROM: 'Touchline <no-reply@touchline.test>',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  S3_REGION: 'eu-west-3',
  S3_BUCKET: 'touchline-pictures',
  S3_ACCESS_KEY_ID: 'AKIATEST',
  S3_SECRET_ACCESS_KEY: secret,
  TOKEN_SIGNING_KEYS: JSON.stringify([signingKey]),
  REFRESH_KEY: secret,
  CODE_PEPPER: secret,
  OPERATOR_KEY: secret,
  ASSESSMENT_PRICES: '[{"id":"price_1","unitAmount":4900,"currency":"USD"}]',
  TOKEN_PRICE: '{"id":"price_2","unitAmount":3500,"currency":"USD"}',
  TOKEN_PROMOTION: '{"coupon":"coupon_1"}',
  LINK_WEBSITE: 'https://touchline.test/site',
  LINK_VIDEO_CHANNEL: 'https://touchline.test/videos',
  LINK_LEARN_MORE: 'https://touchline.test/more',
}

test('nothing set is a demo on this machine alone', () => {
  expect(readEnv({})).toMatchObject({ mode: 'demo', port: 3000, host: '127.0.0.1', dataDir: '.data', databaseUrl: undefined })
  expect(readEnv({ PORT: '', DATABASE_URL: ' ' }).port).toBe(3000)
})

test('half of an object store is none, in a demo too', () => {
  expect(() => readEnv({ S3_BUCKET: 'touchline-pictures' })).toThrow('S3_SECRET_ACCESS_KEY is missing')
  expect(readEnv({}).s3).toBeUndefined()
  expect(readEnv(production).s3?.origin).toBe('https://touchline-pictures.s3.eu-west-3.amazonaws.com')
  expect(readEnv({ ...production, S3_ENDPOINT: 'https://objects.test:9000' }).s3?.origin).toBe('https://objects.test:9000')
})

test('a whole production is one', async () => {
  const env = readEnv(production)
  expect(env.mode).toBe('production')
  expect(env.tokenPromotion).toEqual({ coupon: 'coupon_1', conditionValue: 12, promotionValue: 20 })
  expect((await loadKeys(env, null)).operatorKey).toBe(secret)
})

describe('G8: production refuses to start, naming the setting', () => {
  test.each(Object.keys(production).filter((name) => name !== 'TOUCHLINE_MODE'))('without %s', (name) => {
    expect(() => readEnv({ ...production, [name]: undefined })).toThrow(`${name} is missing`)
  })

  test.each([
    ['PUBLIC_URL', 'http://touchline.test'],
    ['PUBLIC_URL', 'nonsense'],
    ['STRIPE_SECRET_KEY', 'sandbox'],
    ['STRIPE_WEBHOOK_SECRET', 'sandbox'],
    ['DATABASE_URL', 'mysql://x'],
    ['SMTP_URL', 'http://x'],
    ['S3_ENDPOINT', 'http://s3.test'],
    ['S3_BUCKET', 'Not.a.bucket'],
    ['REFRESH_KEY', 'short'],
    ['CODE_PEPPER', 'short'],
    ['OPERATOR_KEY', 'short'],
    ['ASSESSMENT_PRICES', '[]'],
    ['ASSESSMENT_PRICES', 'nonsense'],
    ['ASSESSMENT_PRICES', '[{"id":"price_touchline_profile","unitAmount":4900,"currency":"USD"}]'],
    ['TOKEN_PRICE', '{"id":"price_1","unitAmount":3500,"currency":"USD"}'],
    ['TOKEN_PRICE', '{"id":"price_touchline_token","unitAmount":3500,"currency":"USD"}'],
    ['TOKEN_PRICE', '{"id":"price_2","unitAmount":35.5,"currency":"USD"}'],
    ['TOKEN_PROMOTION', '{"coupon":"coupon_touchline_bulk"}'],
    ['TOKEN_PROMOTION', '{"coupon":"coupon_1","promotionValue":100}'],
    ['PORT', 'x'],
    ['TOUCHLINE_MODE', 'prod'],
    ['MAILS_PER_HOUR', '0'],
  ])('with %s=%s', (name, value) => {
    expect(() => readEnv({ ...production, [name]: value })).toThrow(name)
  })

  test('with signing keys that are none', async () => {
    for (const keys of ['x', '[]', '[{"kty":"RSA"}]']) {
      await expect(loadKeys(readEnv({ ...production, TOKEN_SIGNING_KEYS: keys }), null)).rejects.toThrow('TOKEN_SIGNING_KEYS')
    }
  })
})

test('.env.example has every setting, and no other', () => {
  const source = readFileSync(new URL('../../src/server/env.ts', import.meta.url), 'utf8')
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const read = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => String(name))
  const written = [...example.matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => String(name))
  expect(written.toSorted()).toEqual(read.toSorted())
})

test('an age of none is not meant', () => {
  expect(readEnv({}).minimumAge).toBe(13)
  expect(readEnv({ MINIMUM_AGE: '16' }).minimumAge).toBe(16)
  for (const age of ['0', '-1', 'x']) expect(() => readEnv({ MINIMUM_AGE: age })).toThrow('MINIMUM_AGE is not valid')
})
