import { createHash, generateKeyPairSync } from 'node:crypto'

/** A secret as `openssl rand` would write it, and the same in every run. */
export const secretOf = (name: string) => createHash('sha256').update(name).digest('base64url')

export const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })

/** Every setting that production needs; its outside services do not exist. */
export const productionSettings = {
  TOUCHLINE_MODE: 'production',
  PUBLIC_URL: 'https://touchline.test',
  DATABASE_URL: 'postgres://touchline@db/touchline?sslmode=verify-full',
  SMTP_URL: 'smtps://mail.test',
  MAIL_FROM: 'Touchline <no-reply@touchline.test>',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  S3_REGION: 'eu-west-3',
  S3_BUCKET: 'touchline-pictures',
  S3_ACCESS_KEY_ID: 'AKIATEST',
  S3_SECRET_ACCESS_KEY: secretOf('S3_SECRET_ACCESS_KEY'),
  TOKEN_SIGNING_KEYS: JSON.stringify([signingKey]),
  REFRESH_KEY: secretOf('REFRESH_KEY'),
  CODE_PEPPER: secretOf('CODE_PEPPER'),
  OPERATOR_KEY: secretOf('OPERATOR_KEY'),
  AUDIT_KEY: secretOf('AUDIT_KEY'),
  TRUST_PROXY: '10.0.0.0/8, ::1',
  ASSESSMENT_PRICES: '[{"id":"price_1","unitAmount":4900,"currency":"USD"}]',
  TOKEN_PRICE: '{"id":"price_2","unitAmount":3500,"currency":"USD"}',
  TOKEN_PROMOTION: '{"coupon":"coupon_1"}',
  LINK_WEBSITE: 'https://touchline.test/site',
  LINK_VIDEO_CHANNEL: 'https://touchline.test/videos',
  LINK_LEARN_MORE: 'https://touchline.test/more',
}
