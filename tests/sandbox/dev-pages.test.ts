import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SandboxState } from '#sandbox/card-provider/control.ts'
import type { CardSandbox } from '#sandbox/card-provider/card-sandbox.ts'
import { registerDevPages } from '#sandbox/pages/dev-pages.ts'
import { registerGallery } from '#sandbox/pages/gallery.ts'
import { smtpMail } from '#server/outside/mail.ts'
import { startMailbox, type Mailbox } from '#sandbox/mailbox/mailbox.ts'
import { DECLINED_CARD, GOOD_CARD, NEW_SESSION, sandboxFor, sdkFor, temporaryFolder } from './support.ts'

interface Pages {
  app: FastifyInstance
  sandbox: CardSandbox
  mailbox: Mailbox
}

const HERE = 'http://localhost:3000'

async function start(host = '127.0.0.1', publicUrl = HERE): Promise<Pages> {
  const dataDir = await temporaryFolder()
  const gallery = { folder: dataDir, policy: "default-src 'none'" }
  await mkdir(join(dataDir, 'src/gallery'), { recursive: true })
  await mkdir(join(dataDir, 'assets'))
  await writeFile(join(dataDir, 'src/gallery/gallery.html'), '<title>Gallery</title>')
  await writeFile(join(dataDir, 'assets/gallery.css'), '.piece {}')
  const sandbox = await sandboxFor({ dataDir })
  const mailbox = await startMailbox({ dataDir, clock: { now: () => new Date() } })
  const app = Fastify()
  await registerDevPages(app, {
    access: { host, publicUrl, trustProxy: [], secret: 's3cret' },
    sandbox,
    mailbox,
    gallery,
    mailsSettled: async () => {},
  })
  onTestFinished(async () => {
    await app.close()
    await mailbox.close()
  })
  return { app, sandbox, mailbox }
}

const local = { host: 'localhost:3000' }

async function open(sandbox: CardSandbox, change: object = {}) {
  const session = await sdkFor(sandbox).checkout.sessions.create({ ...NEW_SESSION, ...change })
  return { id: session.id, clientSecret: session.client_secret ?? '' }
}

function pay(app: FastifyInstance, clientSecret: string, card: object, lang = 'en') {
  return app.inject({ method: 'POST', url: '/dev/card-frame/pay', headers: local, payload: { clientSecret, lang, ...card } })
}

describe('the card frame', () => {
  it('shows the product and its price in English and French, with every field labelled', async () => {
    const { app, sandbox } = await start()
    const { clientSecret } = await open(sandbox)
    const frame = (lang: string) => app.inject({ url: `/dev/card-frame?client_secret=${clientSecret}&lang=${lang}`, headers: local })
    const english = await frame('en')
    expect(english.statusCode).toBe(200)
    for (const words of [
      'TEST PAYMENTS',
      '<label for="number">Card number</label>',
      'Expiry',
      'CVC',
      'aria-describedby="amount">Pay</button>',
      '$49.00 USD',
      'Profile',
    ]) {
      expect(english.body).toContain(words)
    }
    const french = await frame('fr-CA')
    expect(french.body).toContain('<html lang="fr">')
    expect(french.body).toContain('Numéro de carte')
  })

  it('may be framed only by our own pages, and has no inline script or style', async () => {
    const { app, sandbox } = await start()
    const { clientSecret } = await open(sandbox)
    const { headers, body } = await app.inject({ url: `/dev/card-frame?client_secret=${clientSecret}`, headers: local })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(body).not.toMatch(/<style|style=|onclick|<script(?! src)/)
    for (const file of ['stripe.js', 'card-frame.js', 'dev.css']) {
      expect((await app.inject({ url: `/dev/${file}`, headers: local })).statusCode).toBe(200)
    }
  })

  it('takes a payment once if it is sent twice, and returns the return URL both times', async () => {
    const { app, sandbox } = await start()
    const { id, clientSecret } = await open(sandbox)
    const [one, other] = await Promise.all([pay(app, clientSecret, GOOD_CARD), pay(app, clientSecret, GOOD_CARD)])
    const reply = { sessionId: id, returnUrl: `http://localhost:3000/stripe/direct-purchase/return?session_id=${id}` }
    expect(one.json()).toEqual(reply)
    expect(other.json()).toEqual(reply)
    expect(sandbox.store.find(id)?.deliveries).toHaveLength(1)
  })

  it('returns no return URL if the session asked for no redirect', async () => {
    const { app, sandbox } = await start()
    const { clientSecret } = await open(sandbox, { redirect_on_completion: 'never', return_url: undefined })
    expect((await pay(app, clientSecret, GOOD_CARD)).json()).toMatchObject({ returnUrl: null })
  })

  it('declines a card with the provider’s message, and the session stays open', async () => {
    const { app, sandbox } = await start()
    const { id, clientSecret } = await open(sandbox)
    const declined = await pay(app, clientSecret, DECLINED_CARD)
    expect(declined.statusCode).toBe(402)
    expect(declined.json()).toMatchObject({ refusals: [{ code: 'card_declined', field: null, message: 'Your card was declined.' }] })
    expect((await pay(app, clientSecret, DECLINED_CARD, 'fr')).json()).toMatchObject({
      refusals: [{ message: 'Ta carte a été refusée.' }],
    })
    expect(await sdkFor(sandbox).checkout.sessions.retrieve(id)).toMatchObject({ status: 'open', payment_status: 'unpaid' })
    expect((await pay(app, clientSecret, GOOD_CARD)).statusCode).toBe(200)
  })

  it('names the field of each mistake', async () => {
    const { app, sandbox } = await start()
    const { clientSecret } = await open(sandbox)
    const reply = await pay(app, clientSecret, { number: '4242', expiry: '01 / 20', cvc: '' })
    expect(reply.json<{ refusals: { field: string; message: string }[] }>().refusals).toMatchObject([
      { field: 'number', message: 'Your card number is incomplete.' },
      { field: 'expiry', message: "Your card's expiration year is in the past." },
      { field: 'cvc', message: "Your card's security code is incomplete." },
    ])
  })

  it('replies 410 for an expired session and 404 for an unknown one', async () => {
    const { app, sandbox } = await start()
    const { id, clientSecret } = await open(sandbox)
    await sdkFor(sandbox).checkout.sessions.expire(id)
    expect((await pay(app, clientSecret, GOOD_CARD)).statusCode).toBe(410)
    expect((await pay(app, `${id}_secret_guess`, GOOD_CARD)).statusCode).toBe(410)
    expect((await pay(app, 'cs_test_none_secret_x', GOOD_CARD)).statusCode).toBe(404)
    expect((await app.inject({ url: `/dev/card-frame?client_secret=${clientSecret}`, headers: local })).statusCode).toBe(410)
  })

  it('refuses a wrong secret for an open session', async () => {
    const { app, sandbox } = await start()
    const { id } = await open(sandbox)
    expect((await pay(app, `${id}_secret_guess`, GOOD_CARD)).statusCode).toBe(404)
  })
})

describe('the control page', () => {
  it('accepts JSON and its own forms', async () => {
    const { app, sandbox } = await start()
    const { id } = await open(sandbox)
    const send = (payload: object) => app.inject({ method: 'POST', url: '/dev/stripe/control', headers: local, payload })
    expect((await send({ action: 'behave', delivery: 'held', copies: 2 })).json()).toMatchObject({
      behaviour: { delivery: 'held', copies: 2 },
    })
    expect((await send({ action: 'expire', sessionId: id })).statusCode).toBe(200)
    expect((await send({ action: 'expire', sessionId: id })).statusCode).toBe(409)
    expect((await send({ action: 'explode' })).statusCode).toBe(400)
    const form = await app.inject({
      method: 'POST',
      url: '/dev/stripe/control',
      headers: { ...local, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'action=behave&delayMilliseconds=20&outage=errors',
    })
    expect(form.statusCode).toBe(303)
    const page = await app.inject({ url: '/dev/stripe/control', headers: local })
    expect(page.body).toContain(id)
    expect(page.body).toContain('<option selected>errors</option>')
    expect((await app.inject({ url: '/dev/stripe/control.json', headers: local })).json()).toMatchObject({
      behaviour: { delivery: 'held', delayMilliseconds: 20, outage: 'errors' },
      sessions: [{ id, status: 'expired', events: [{ type: 'checkout.session.expired', state: 'held' }] }],
    })
  })

  it('refunds and disputes no more than was paid', async () => {
    const { app, sandbox } = await start()
    const { id, clientSecret } = await open(sandbox)
    const send = async (payload: object) => {
      const reply = await app.inject({
        method: 'POST',
        url: '/dev/stripe/control',
        headers: local,
        payload: { ...payload, sessionId: id },
      })
      return reply.statusCode
    }
    const shown = async () => (await app.inject({ url: '/dev/stripe/control.json', headers: local })).json<SandboxState>().sessions[0]
    expect(await send({ action: 'refund', amount: 1 })).toBe(409)
    await pay(app, clientSecret, GOOD_CARD)
    expect(await send({ action: 'refund', amount: 4901 })).toBe(409)
    expect(await send({ action: 'refund', amount: 900 })).toBe(200)
    expect(await send({ action: 'dispute', outcome: 'reinstated' })).toBe(409)
    expect(await send({ action: 'dispute', outcome: 'withdrawn' })).toBe(200)
    expect(await shown()).toMatchObject({ amountTotal: 4900, refunded: 900, disputed: 4000 })
    expect(await send({ action: 'refund', amount: 1 })).toBe(409)
    expect(await send({ action: 'dispute', outcome: 'reinstated' })).toBe(200)
    expect(await send({ action: 'refund', amount: 4000 })).toBe(200)
    expect((await shown())?.events.map(({ type }) => type)).toEqual([
      'checkout.session.completed',
      'charge.refunded',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
      'charge.refunded',
    ])
    const page = await app.inject({ url: '/dev/stripe/control', headers: local })
    expect(page.body).not.toContain('name="amount"')
  })

  it('refuses requests from other sites', async () => {
    const { app } = await start()
    const headers = { ...local, 'sec-fetch-site': 'cross-site' }
    const reply = await app.inject({ method: 'POST', url: '/dev/stripe/control', headers, payload: { action: 'release' } })
    expect(reply.statusCode).toBe(403)
  })
})

describe('the mailbox page', () => {
  it('lists mails newest first, with codes marked and markup escaped', async () => {
    const { app, mailbox } = await start()
    const mail = smtpMail({ url: mailbox.smtpUrl, from: 'Touchline <no-reply@touchline.test>' })
    onTestFinished(() => mail.close())
    const message = { to: 'player@demo.test', language: 'en' as const }
    await mail.send({ ...message, subject: 'One', text: 'Your code: 12345678\nhttp://localhost:3000/auth/login?a=1&b=2' })
    await mail.send({ ...message, to: 'coach@demo.test', subject: '<img src=x onerror=alert(1)>', text: '<script>alert(1)</script>' })
    const all = (await app.inject({ url: '/dev/mail.json', headers: local })).json<{ subject: string }[]>()
    expect(all.map(({ subject }) => subject)).toEqual(['<img src=x onerror=alert(1)>', 'One'])
    const mine = await app.inject({ url: '/dev/mail.json?to=PLAYER%40demo.test', headers: local })
    expect(mine.json()).toEqual([
      { to: 'player@demo.test', subject: 'One', text: expect.stringContaining('12345678'), at: expect.any(String) },
    ])
    const page = await app.inject({ url: '/dev/mail', headers: local })
    expect(page.body).toContain('<strong class="code">12345678</strong>')
    expect(page.body).toContain('href="http://localhost:3000/auth/login?a=1&#38;b=2"')
    expect(page.body).not.toMatch(/<script>|<img/)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  })
})

describe('the gallery', () => {
  it('is served under the given security policy, with its files', async () => {
    const { app } = await start()
    const page = await app.inject({ url: '/dev/gallery?lang=fr', headers: local })
    expect(page.body).toBe('<title>Gallery</title>')
    expect(page.headers['content-security-policy']).toBe("default-src 'none'")
    expect((await app.inject({ url: '/dev/gallery/assets/gallery.css', headers: local })).body).toBe('.piece {}')
    expect((await app.inject({ url: '/dev', headers: local })).body).toContain('href="/dev/gallery?lang=en"')
  })

  it('is not offered if it was not built', async () => {
    const app = Fastify()
    const folder = await temporaryFolder()
    expect(await registerGallery(app, { folder, policy: '' })).toBe(false)
    expect((await app.inject({ url: '/dev/gallery' })).statusCode).toBe(404)
  })
})

describe('/dev/ is shown or refused:', () => {
  const asked = [
    ['shown to this machine', '127.0.0.1', { host: 'localhost:3000' }, '', 200],
    ['refused for another host name that points to this machine', '127.0.0.1', { host: 'evil.test:3000' }, '', 403],
    ['refused with X-Forwarded-For, which a proxy sends', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '203.0.113.7' }, '', 403],
    ['refused with Via, which a proxy sends', '127.0.0.1', { host: 'localhost', via: '1.1 proxy' }, '', 403],
    ['refused with X-Real-IP, which a proxy sends', '127.0.0.1', { host: 'localhost', 'x-real-ip': '203.0.113.7' }, '', 403],
    ['refused on the network', '0.0.0.0', { host: 'localhost:3000' }, '', 403],
    ['refused on the network with a wrong secret', '0.0.0.0', { host: 'box:3000' }, '?secret=guess', 403],
    ['shown on the network with the secret', '0.0.0.0', { host: 'box:3000' }, '?secret=s3cret', 200],
    ['shown on the network with the cookie', '0.0.0.0', { host: 'box:3000', cookie: 'a=b; touchline-dev=s3cret' }, '', 200],
  ] as const
  it.each(asked)('%s', async (_name, host, headers, query, status) => {
    const { app } = await start(host)
    for (const path of ['/dev', '/dev/mail', '/dev/mail.json', '/dev/stripe.js', '/dev/stripe/control', '/dev/gallery']) {
      const reply = await app.inject({ url: `${path}${query}`, headers })
      expect(reply.statusCode, path).toBe(status)
      expect(reply.headers['set-cookie'] !== undefined, path).toBe(query === '?secret=s3cret')
    }
  })
})
