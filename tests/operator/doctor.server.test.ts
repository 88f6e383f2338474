import { writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { examine } from '#operator/doctor/doctor.ts'
import type { Finding } from '#operator/doctor/finding.ts'
import { checkCards, type CardHost } from '#operator/doctor/cards.ts'
import { readSettings } from '#server/env.ts'
import { EVENTS_NEEDED } from '#server/payments/events.ts'
import { S3_KEYS, startFakeS3 } from '#tests/server/pictures/fake-s3.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startServer } from '#tests/support/start-server.ts'
import { fakeCards } from './fake-cards.ts'
import { keySettings, newFolder, touchline } from './support.ts'

type Settings = Record<string, string>

async function examined(settings: Settings, cardHost?: CardHost, now = () => new Date()): Promise<Finding[]> {
  return examine({ environment: settings, print: () => {}, warn: () => {}, now }, cardHost)
}

const troubles = (found: readonly Finding[]) => found.filter(({ level }) => level !== 'ok')

/** A mail server that lets one user in. */
async function mailServer(): Promise<number> {
  const server = new SMTPServer({
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _session, callback) =>
      username === 'club' && password === 'right' ? callback(null, { user: username }) : callback(new Error('wrong')),
    allowInsecureAuth: true,
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return port
}

const PRICES = {
  STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
  STRIPE_WEBHOOK_SECRET: `whsec_${'x'.repeat(32)}`,
  ASSESSMENT_PRICES: '[{"id":"price_1","unitAmount":4900,"currency":"USD"}]',
  TOKEN_PRICE: '{"id":"price_2","unitAmount":3500,"currency":"USD"}',
  TOKEN_PROMOTION: '{"coupon":"bulk"}',
}

/** Settings of which everything that they name is there. */
async function whole(): Promise<{ settings: Settings; cards: CardHost }> {
  const s3 = await startFakeS3()
  onTestFinished(s3.close)
  const cards = await fakeCards('sk_test_right', { price_1: [4900, 'usd'], price_2: [3500, 'usd'], price_3: [1, 'usd'] })
  const settings: Settings = {
    ...keySettings(),
    ...PRICES,
    DATA_DIR: await newFolder(),
    PORT: String(await freePort()),
    SMTP_URL: `smtp://club:right@127.0.0.1:${await mailServer()}`,
    STRIPE_SECRET_KEY: 'sk_test_right',
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: S3_KEYS.region,
    S3_BUCKET: S3_KEYS.bucket,
    S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
  }
  return { settings, cards }
}

test('finds nothing wrong where everything is there, and leaves nothing behind', async () => {
  const { settings, cards } = await whole()
  const found = await examined(settings, cards)
  expect(troubles(found)).toEqual([])
  const named = new Set(found.map(({ setting }) => setting))
  for (const name of ['TOUCHLINE_MODE', 'NODE', 'DATA_DIR', 'DISK', 'SMTP_URL', 'S3_BUCKET', 'STRIPE_SECRET_KEY', 'PORT'])
    expect([...named]).toContain(name)
})

test('ends with 0 or 1, in words and as JSON', async () => {
  const settings = { DATA_DIR: await newFolder(), PORT: String(await freePort()) }
  const healthy = await touchline(['doctor'], settings)
  expect(healthy).toMatchObject({ exit: 0, out: expect.stringContaining('Nothing is wrong') })
  const ill = await touchline(['doctor', '--json'], { ...settings, DATA_DIR: '/proc/version' })
  expect(ill.exit).toBe(1)
  expect(JSON.parse(ill.out)).toMatchObject({
    isHealthy: false,
    findings: expect.arrayContaining([{ level: 'error', setting: 'DATA_DIR', message: expect.stringContaining('is a file') }]),
  })
})

describe('what a setting names and is not so', () => {
  async function anotherProgram(status = '200 OK', body = 'hi'): Promise<number> {
    const server = createServer((socket) => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n\r\n${body}`))
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return port
  }

  test.each<[string, (settings: Settings) => Settings | Promise<Settings>, string, RegExp]>([
    ['a mail server that does not exist', () => ({ SMTP_URL: 'smtp://mail.invalid' }), 'SMTP_URL', /no such host: correct its name|Check/],
    ['a port without a mail server', async () => ({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }), 'SMTP_URL', /Check host and port/],
    [
      'a wrong mail password',
      ({ SMTP_URL = '' }) => ({ SMTP_URL: SMTP_URL.replace('right', 'wrong') }),
      'SMTP_URL',
      /Correct the user and password in SMTP_URL/,
    ],
    ['an unknown key to the store', () => ({ S3_ACCESS_KEY_ID: 'AKIAOTHER' }), 'S3_ACCESS_KEY_ID', /Correct S3_ACCESS_KEY_ID/],
    ['a wrong secret of the store', () => ({ S3_SECRET_ACCESS_KEY: 'wrong' }), 'S3_SECRET_ACCESS_KEY', /Correct S3_SECRET_ACCESS_KEY/],
    ['an unknown bucket', () => ({ S3_BUCKET: 'elsewhere' }), 'S3_BUCKET', /Make the bucket, or correct S3_BUCKET/],
    [
      'a store that is not there',
      async () => ({ S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` }),
      'S3_ENDPOINT',
      /Check S3_ENDPOINT/,
    ],
    ['an unknown card key', () => ({ STRIPE_SECRET_KEY: 'sk_test_other' }), 'STRIPE_SECRET_KEY', /copy it again from its dashboard/],
    [
      'a price that does not exist',
      () => ({ TOKEN_PRICE: '{"id":"price_9","unitAmount":3500,"currency":"USD"}' }),
      'TOKEN_PRICE',
      /has no price price_9 in the mode of this key/,
    ],
    [
      'a price of another amount',
      () => ({ TOKEN_PRICE: '{"id":"price_3","unitAmount":3500,"currency":"USD"}' }),
      'TOKEN_PRICE',
      /price_3 is 1 USD at the provider and 3500 USD here/,
    ],
    ['a coupon that does not exist', () => ({ TOKEN_PROMOTION: '{"coupon":"none"}' }), 'TOKEN_PROMOTION', /has no coupon none/],
    [
      'a coupon of another discount',
      () => ({ TOKEN_PROMOTION: '{"coupon":"bulk","promotionValue":30}' }),
      'TOKEN_PROMOTION',
      /gives 20 % at the provider and 30 % here/,
    ],
    ['a port that another program has', async () => ({ PORT: String(await anotherProgram()) }), 'PORT', /in use by another program/],
    [
      'metrics at a port that another program has',
      async () => ({ METRICS_PORT: String(await anotherProgram()) }),
      'METRICS_PORT',
      /in use by another program: stop it, or choose another METRICS_PORT/,
    ],
    [
      'metrics that others may reach',
      async () => ({ METRICS_PORT: String(await freePort()), METRICS_HOST: '0.0.0.0' }),
      'METRICS_HOST',
      /let only a private network reach it/,
    ],
    ['a stop that takes longer than supervisors wait', () => ({ DRAIN_SECONDS: '30' }), 'DRAIN_SECONDS', /let its supervisor wait for 50/],
    ['an address of another machine', () => ({ HOST: '192.0.2.1' }), 'HOST', /choose 127\.0\.0\.1, or 0\.0\.0\.0/],
    [
      'an address that leads elsewhere',
      async () => ({ PUBLIC_URL: `http://127.0.0.1:${await anotherProgram()}` }),
      'PUBLIC_URL',
      /but not as Touchline/,
    ],
    [
      'an address that leads to a server without its database',
      async () => ({ PUBLIC_URL: `http://127.0.0.1:${await anotherProgram('503 Service Unavailable', '{"code":"UNAVAILABLE"}')}` }),
      'PUBLIC_URL',
      /leads to a Touchline server that cannot reach its database/,
    ],
    [
      'an address that leads to a proxy without a server',
      async () => ({ PUBLIC_URL: `http://127.0.0.1:${await anotherProgram('502 Bad Gateway', '<html>')}` }),
      'PUBLIC_URL',
      /leads to a proxy that reaches no server \(status 502\): start the server/,
    ],
    [
      'an address that leads nowhere',
      async () => ({ PUBLIC_URL: `http://127.0.0.1:${await freePort()}` }),
      'PUBLIC_URL',
      /check the name, the proxy and the firewall/,
    ],
    ['a folder that is a file', () => ({ DATA_DIR: '/proc/version' }), 'DATA_DIR', /is a file: choose a folder/],
    ['a folder shared with everybody', () => ({ DATA_DIR: '/tmp' }), 'DATA_DIR', /choose a folder of its own inside it/],
    [
      'damaged keys',
      async ({ DATA_DIR = '' }) => {
        await writeFile(join(DATA_DIR, 'keys.json'), '{"signing":')
        return {}
      },
      'DATA_DIR',
      /keys\.json is damaged: bring it back from a backup/,
    ],
    [
      'nobody listening as the database',
      async () => ({ DATABASE_URL: `postgres://a@127.0.0.1:${await freePort()}/b` }),
      'DATABASE_URL',
      /ECONNREFUSED.*start PostgreSQL, or correct host and port/,
    ],
    [
      'a database host that does not exist',
      () => ({ DATABASE_URL: 'postgres://a@database.invalid/b' }),
      'DATABASE_URL',
      /There is no such host/,
    ],
  ])('%s is named, with what to do', async (_what, change, setting, advice) => {
    const { settings, cards } = await whole()
    const found = troubles(await examined({ ...settings, ...(await change(settings)) }, cards))
    expect(found.map((one) => one.setting)).toContain(setting)
    expect(found.find((one) => one.setting === setting)?.message).toMatch(advice)
    expect(found).toHaveLength(1)
  })

  /** What answers as a Touchline server. */
  async function somethingLikeUs(): Promise<string> {
    const server = createHttpServer(({ method }, response) =>
      response.end(method === 'PATCH' ? '{"code":"INVALID_TOKEN","requestId":"1"}' : '{"status":"ok","service":"touchline"}'),
    )
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${port}`
  }

  test('a bucket to which browsers may not upload is named', async () => {
    const s3 = await startFakeS3()
    onTestFinished(s3.close)
    s3.allowedOrigin = 'https://elsewhere.test'
    const { settings, cards } = await whole()
    const found = await examined({ ...settings, S3_ENDPOINT: s3.endpoint, PUBLIC_URL: await somethingLikeUs() }, cards)
    expect(troubles(found)).toEqual([
      { level: 'warning', setting: 'S3_BUCKET', message: expect.stringMatching(/does not let browsers at .* upload: allow PUT/) },
    ])
    expect([...s3.objects.keys()], 'the probe was removed').toEqual([])
  })

  test('a key that may not list, without which an absent object is forbidden, is named', async () => {
    const s3 = await startFakeS3()
    onTestFinished(s3.close)
    s3.mayList = false
    const { settings, cards } = await whole()
    const found = await examined({ ...settings, S3_ENDPOINT: s3.endpoint }, cards)
    expect(troubles(found)).toEqual([
      { level: 'error', setting: 'S3_ACCESS_KEY_ID', message: expect.stringMatching(/Let this key put, get, list and delete/) },
    ])
    expect([...s3.objects.keys()], 'the probe was removed').toEqual([])
  })

  test('an address of the store with the bucket in it is named', async () => {
    const { settings, cards } = await whole()
    const found = await examined({ ...settings, S3_ENDPOINT: `${settings['S3_ENDPOINT']}/${S3_KEYS.bucket}` }, cards)
    expect(troubles(found)).toEqual([
      { level: 'error', setting: 'S3_ENDPOINT', message: expect.stringMatching(/take the bucket out of it/) },
    ])
  })

  test('a server that tells its metrics is known', async () => {
    const port = String(await freePort())
    const server = await startServer({ env: { METRICS_PORT: port } })
    onTestFinished(server.close)
    const { settings, cards } = await whole()
    const found = await examined({ ...settings, METRICS_PORT: port }, cards)
    expect(found).toContainEqual({ level: 'ok', setting: 'METRICS_PORT', message: `A Touchline server listens on ${port}.` })
    expect(troubles(found)).toEqual([])
  })

  test.each([
    ['sk_test_right', 'ok', 'The provider knows this key (test mode).'],
    ['sk_test_made_up', 'error', 'The provider does not know this key: copy it again from its dashboard.'],
  ])('the card key %s is asked for where no price is set', async (key, level, message) => {
    const cards = await fakeCards('sk_test_right', {})
    const found = await checkCards(readSettings({ STRIPE_SECRET_KEY: key }).set, cards)
    expect(found).toEqual([{ level, setting: 'STRIPE_SECRET_KEY', message }])
  })

  test('of what was asked the card provider for, all is named', async () => {
    const cards = await fakeCards('sk_test_right', { price_1: [4900, 'usd'], price_2: [3500, 'usd'] })
    const found = await checkCards(readSettings({ ...PRICES, STRIPE_SECRET_KEY: 'sk_test_right' }).set, cards)
    expect(found).toEqual([
      { level: 'ok', setting: 'STRIPE_SECRET_KEY', message: 'The provider knows this key (test mode), the prices and the coupon.' },
    ])
  })

  test('a card provider that does not reply is named', async () => {
    const { set } = readSettings({ ...PRICES, STRIPE_SECRET_KEY: 'sk_test_x' })
    const found = await checkCards(set, { host: '127.0.0.1', port: await freePort() })
    expect(found).toEqual([
      { level: 'error', setting: 'STRIPE_SECRET_KEY', message: expect.stringContaining('Let this machine reach api.stripe.com') },
    ])
  })

  describe('the webhook, in production', () => {
    const URL = 'https://portal.test/api/stripe/webhook'
    const events = ['charge.refunded', ...EVENTS_NEEDED]
    const right = { url: URL, status: 'enabled', enabled_events: events } as const
    const settings = { ...PRICES, TOUCHLINE_MODE: 'production', PUBLIC_URL: 'https://portal.test', STRIPE_SECRET_KEY: 'sk_test_right' }

    test.each<[string, Parameters<typeof fakeCards>[2], Finding['level'] | undefined, RegExp]>([
      ['with all events', [right], undefined, /^/],
      ['with every event there is', [{ ...right, enabled_events: ['*'] }], undefined, /^/],
      ['beside one to another address', [{ ...right, url: 'https://old.test', status: 'disabled' }, right], undefined, /^/],
      [
        'that is not there',
        [{ ...right, url: 'https://old.test/api/stripe/webhook' }],
        'error',
        /no webhook to https:\/\/portal\.test.*: make it/,
      ],
      ['that is disabled', [{ ...right, status: 'disabled' }], 'error', /is disabled: enable it.*fulfilled only when the buyer comes back/],
      [
        'without refunds',
        [{ ...right, enabled_events: events.filter((name) => !/refund/.test(name)) }],
        'error',
        /does not send charge\.refunded, refund\.updated, refund\.failed: add them/,
      ],
      ['that the key may not see', 'forbidden', 'warning', /may not list webhooks: look yourself/],
    ])('%s', async (_what, webhooks, level, says) => {
      const cards = await fakeCards('sk_test_right', { price_1: [4900, 'usd'], price_2: [3500, 'usd'] }, webhooks)
      const found = troubles(await checkCards(readSettings(settings).set, cards))
      const expected = { level, setting: 'STRIPE_WEBHOOK_SECRET', message: expect.stringMatching(says) }
      expect(found).toEqual(level === undefined ? [] : [expected])
    })
  })

  test('a clock that is years off is named', async () => {
    const found = await examined({ DATA_DIR: await newFolder() }, undefined, () => new Date('1970-01-01T00:10:00Z'))
    expect(troubles(found)).toContainEqual({
      level: 'error',
      setting: 'CLOCK',
      message: expect.stringContaining('set its clock with a time service'),
    })
  })
})
