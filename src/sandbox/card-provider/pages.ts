import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { CardSandbox } from './card-sandbox.ts'
import { control, controlBody, stateOf } from './control.ts'
import { controlPage } from './control-page.ts'
import { readForm } from './form.ts'
import type { SessionRecord } from './store.ts'
import { html, sendDevPage } from '../pages/html.ts'
import { devLanguage, devWords, type DevLanguage } from '../pages/words.ts'

/** The sandbox's pages for browsers, on the portal's own origin. The script that embeds them is `/dev/stripe.js`. */
export function registerCardSandboxPages(scope: FastifyInstance, sandbox: CardSandbox): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    readForm(text),
  )
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'error'))
  scope.get('/dev/card-frame', async (request, reply) => {
    const { query, language } = readRequest(request)
    const record = sandbox.sessions.findBySecret(query.get('client_secret') ?? '')
    return sendFrame(reply, record, language)
  })
  scope.post('/dev/card-frame/pay', async (request, reply) => pay(sandbox, request, reply))
  scope.get('/dev/stripe/control', async (request, reply) => {
    const { language } = readRequest(request)
    return sendDevPage(reply, { language, title: devWords[language].control, body: controlPage(stateOf(sandbox), language) })
  })
  scope.get('/dev/stripe/control.json', async () => stateOf(sandbox))
  scope.post('/dev/stripe/control', async (request, reply) => {
    const wanted = controlBody.safeParse(request.body)
    if (!wanted.success) return reply.code(400).send({ error: z.prettifyError(wanted.error) })
    if (!control(sandbox, wanted.data)) return reply.code(409).send({ error: wanted.data.action })
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    return isForm ? reply.redirect('/dev/stripe/control', 303) : stateOf(sandbox)
  })
}

const payBody = z.strictObject({
  clientSecret: z.string(),
  lang: z.string(),
  number: z.string().check(z.maxLength(40)),
  expiry: z.string().check(z.maxLength(20)),
  cvc: z.string().check(z.maxLength(10)),
})

/** 200 paid · 402 the card was refused, each refusal with the field to correct · 404, 410 the session does not exist or has ended. */
function pay(sandbox: CardSandbox, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wanted = payBody.safeParse(request.body)
  if (!wanted.success) return reply.code(400).send({ error: z.prettifyError(wanted.error) })
  const { clientSecret, lang, ...card } = wanted.data
  const words = devWords[devLanguage(lang, undefined)]
  const record = sandbox.sessions.findBySecret(clientSecret)
  if (!record) return reply.code(404).send({ message: words.notFound })
  const payment = sandbox.sessions.pay(record, card)
  if (payment.status === 'closed') return reply.code(410).send({ message: words.expired })
  if (payment.status === 'complete') return reply.send({ sessionId: record.session.id, returnUrl: returnUrlOf(record) })
  const refusals = payment.refusals.map(({ type, code, declineCode, field }) => ({
    type,
    code,
    declineCode,
    field,
    message: words.refusals[code],
  }))
  return reply.code(402).send({ refusals })
}

/** The URL that the payer returns to; null if the page around the frame decides. */
function returnUrlOf({ session }: SessionRecord): string | null {
  if (session.redirect_on_completion !== 'always' || session.return_url === undefined) return null
  return session.return_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

function sendFrame(reply: FastifyReply, record: SessionRecord | undefined, language: DevLanguage): FastifyReply {
  const words = devWords[language]
  const frame = { language, title: words.testPayments, isFrame: true }
  if (!record) return sendDevPage(reply.code(404), { ...frame, body: html`<p role="alert">${words.notFound}</p>` })
  if (record.session.status === 'expired')
    return sendDevPage(reply.code(410), { ...frame, body: html`<p role="alert">${words.expired}</p>` })
  return sendDevPage(reply, { ...frame, script: '/dev/card-frame.js', body: cardForm(record, language) })
}

function cardForm({ session, lineItems }: SessionRecord, language: DevLanguage) {
  const words = devWords[language]
  const field = (id: string, label: string, placeholder: string) =>
    html`<div class="field">
      <label for="${id}">${label}</label>
      <input
        id="${id}"
        name="${id}"
        inputmode="numeric"
        autocomplete="off"
        spellcheck="false"
        required
        placeholder="${placeholder}"
        aria-describedby="${id}-error"
      />
      <p class="error" id="${id}-error" aria-live="polite"></p>
    </div>`
  return html`<main aria-label="${words.testPayments}">
    <h1 class="ribbon">${words.testPayments}</h1>
    <p class="note">${words.noMoney} ${words.testCards}</p>
    ${lineItems.map((item) => html`<p class="line"><span>${item.description}${item.quantity !== 1 && ` × ${item.quantity}`}</span></p>`)}
    <p class="line amount" id="amount"><span>${words.amount}</span> <strong>${money(session.amount_total, session.currency)}</strong></p>
    <form
      id="card"
      method="post"
      novalidate
      data-client-secret="${session.client_secret}"
      data-processing="${words.processing}"
      data-paid="${words.paid}"
      data-unreachable="${words.unreachable}"
    >
      ${field('number', words.cardNumber, '4242 4242 4242 4242')}
      <div class="pair">${field('expiry', words.expiry, words.expiryHint)} ${field('cvc', words.cvc, '123')}</div>
      <p class="error" id="form-error" role="alert"></p>
      ${session.custom_text.submit && html`<p class="line">${session.custom_text.submit.message}</p>`}
      <button type="submit" aria-describedby="amount">${words.pay}</button>
      <p id="status" role="status"></p>
    </form>
  </main>`
}

/** "$49.00 USD", the same in both languages (BUY-10). */
function money(cents: number | null, currency: string | null): string {
  return `$${((cents ?? 0) / 100).toFixed(2)} ${(currency ?? '').toUpperCase()}`
}

function readRequest(request: FastifyRequest): { query: URLSearchParams; language: DevLanguage } {
  const query = new URL(request.url, 'http://dev').searchParams
  return { query, language: devLanguage(query.get('lang'), request.headers['accept-language']) }
}
