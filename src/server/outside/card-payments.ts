import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Language } from '#contract/languages.ts'
import { paymentOf, refundsOf, type Refunds } from './card-refunds.ts'
import { providerText } from './card-text.ts'

/** What is bought, at the provider's prices: it computes the amount, and we check it. */
export interface SessionRequest {
  /** the order's; the same key with the same request returns the same session */
  idempotencyKey: string
  orderId: string
  userId: string
  priceId: string
  quantity: number
  /** the provider's discount */
  coupon: string | null
  /** contains the literal `{CHECKOUT_SESSION_ID}` */
  returnUrl: string
  /** what is bought, in this language; shown beside the provider's own name of it */
  description: string
  language: Language
}

/** The parts of a checkout session that the product uses. */
export interface CheckoutSession {
  id: string
  /** mounts the form; null once there is nothing left to pay */
  clientSecret: string | null
  status: 'open' | 'complete' | 'expired'
  /** paid, or nothing to pay */
  isPaid: boolean
  /** the order it was made for */
  orderId: string | null
  /** cents, after discounts */
  amountTotal: number
  /** upper case */
  currency: string
}

/** A verified event, with the checkout session or the refunded or disputed payment it is about, if any. */
interface ProviderEvent {
  id: string
  type: string
  sessionId: string | null
  paymentId: string | null
  /** which of our secrets it is signed with; 0 is the newest */
  secretPlace: number
}

/** An event with a right signature, in which what we read is missing or of another form. */
export class UnreadableEvent extends Error {}

/** The card provider could not be reached, failed, refused the request, or replied in another form. The outcome is unknown. */
export class CardPaymentsError extends Error {
  constructor(cause: unknown) {
    super('The card provider did not reply as expected.', { cause })
  }
}

/** The provider repeats an earlier failure for this key, and will for a day: only another key can succeed. */
export class KeptFailure extends CardPaymentsError {}

export interface CardPayments extends Refunds {
  /** for the portal, which loads `script` (null: the provider's own) */
  readonly publishableKey: string
  readonly script: string | null
  openSession: (request: SessionRequest) => Promise<CheckoutSession>
  /** null: the provider knows no such session */
  findSession: (id: string) => Promise<CheckoutSession | null>
  /** Closes a session, so that it can no longer be paid. Idempotent. */
  expireSession: (id: string) => Promise<void>
  /** Verifies signature, by any of our secrets, and age of the raw body; null if either is wrong. Throws UnreadableEvent. */
  readEvent: (body: Buffer, signature: string, receivedAt: Date) => ProviderEvent | null
}

export interface CardPaymentsSettings {
  secretKey: string
  publishableKey: string
  /** newest first */
  webhookSecrets: readonly string[]
  /** the address the SDK calls instead of the provider's, and the script that goes with it */
  sandbox?: { host: string; port: number; script: string }
  /** for one reply of the provider */
  timeoutMs?: number
}

/** `t=…,v1=…`; the SDK throws for a part without a value as for a bug. */
const SIGNATURE_FORM = /^\w+=[^,=]+(?:,\w+=[^,=]+)*$/
const STATUSES = ['open', 'complete', 'expired'] as const
// the provider's
const MESSAGE_MAXIMUM = 1200
const TOLERANCE_SECONDS = 300
const TIMEOUT_MS = 6_000

/** The provider by its own SDK in every mode: in the sandbox only the address differs. docs/decisions/0013-card-sandbox.md */
export function cardPayments(settings: CardPaymentsSettings): CardPayments {
  const { sandbox } = settings
  const stripe = new Stripe(settings.secretKey, {
    // a retry sends the same Idempotency-Key; more than one would keep the buyer waiting
    maxNetworkRetries: 1,
    timeout: settings.timeoutMs ?? TIMEOUT_MS,
    telemetry: false,
    ...(sandbox ? { host: sandbox.host, port: sandbox.port, protocol: 'http' as const } : {}),
  })
  const refunds = refundsOf(stripe)
  return {
    publishableKey: settings.publishableKey,
    script: sandbox?.script ?? null,
    openSession: (request) =>
      wrapErrors(async () => {
        const params = paramsOf(request)
        return readSession(await stripe.checkout.sessions.create(params, { idempotencyKey: keyOf(request, params) }))
      }),
    findSession: (id) =>
      wrapErrors(async () => {
        try {
          return readSession(await stripe.checkout.sessions.retrieve(id))
        } catch (error) {
          if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
          throw error
        }
      }),
    expireSession: (id) =>
      wrapErrors(async () => {
        try {
          await stripe.checkout.sessions.expire(id)
        } catch (error) {
          // another call may have closed it, which is just as good
          const { status } = await stripe.checkout.sessions.retrieve(id)
          if (status !== 'expired') throw error
        }
      }),
    findSessionOfPayment: (paymentId) => wrapErrors(() => refunds.findSessionOfPayment(paymentId)),
    readRefunded: (paymentId) => wrapErrors(() => refunds.readRefunded(paymentId)),
    readEvent(body, signature, receivedAt) {
      if (!SIGNATURE_FORM.test(signature)) return null
      for (const [secretPlace, secret] of settings.webhookSecrets.entries()) {
        const event = verified(() =>
          readForm(stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, receivedAt.getTime())),
        )
        if (!event) continue
        return { ...event, secretPlace }
      }
      return null
    },
  }
}

function paramsOf(request: SessionRequest): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    ui_mode: 'embedded_page',
    // charged at once: after a bank's debit, days late, the return would be called failed and could be paid twice
    allowed_payment_method_types: ['card'],
    line_items: [{ price: request.priceId, quantity: request.quantity }],
    ...(request.coupon === null ? {} : { discounts: [{ coupon: request.coupon }] }),
    client_reference_id: request.userId,
    metadata: { orderId: request.orderId },
    return_url: request.returnUrl,
    custom_text: { submit: { message: request.description.slice(0, MESSAGE_MAXIMUM) } },
    locale: request.language,
  }
}

/**
 * For a day, the provider refuses a key that is sent with other parameters. So the key contains their hash: after a change of
 * language or settings an order without a session still gets one, and a plain retry finds its own.
 */
function keyOf({ idempotencyKey }: SessionRequest, params: Stripe.Checkout.SessionCreateParams): string {
  return `${idempotencyKey}-${createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 32)}`
}

/** Wraps the SDK's errors, and those of a reply in another form; any other error is a bug and is thrown on. */
async function wrapErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof z.core.$ZodError) throw new CardPaymentsError(error)
    if (error instanceof Stripe.errors.StripeError) throw isKept(error) ? new KeptFailure(error) : new CardPaymentsError(error)
    throw error
  }
}

/** The provider stores the first reply to a key, a refusal or a 500 too, and says so when it repeats it. */
function isKept({ headers }: Stripe.errors.StripeError): boolean {
  return headers?.['idempotent-replayed'] === 'true'
}

/** null: signature or age is wrong. */
function verified<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
    throw new UnreadableEvent('an event of the card provider cannot be read', { cause: error })
  }
}

const eventForm = z.object({
  id: providerText,
  type: providerText,
  data: z.object({ object: z.looseObject({ object: z.optional(z.string()) }) }),
})

function readForm(given: unknown): Omit<ProviderEvent, 'secretPlace'> {
  const { id, type, data } = eventForm.parse(given)
  const about = data.object
  const sessionId = about.object === 'checkout.session' ? providerText.parse(about['id']) : null
  return { id, type, sessionId, paymentId: paymentOf(about) }
}

const sessionForm = z.object({
  id: providerText,
  client_secret: z.nullable(z.string()),
  status: z.nullable(z.string()),
  payment_status: z.string(),
  metadata: z.nullable(z.record(z.string(), z.string())),
  amount_total: z.nullable(z.int()),
  currency: z.nullable(z.string()),
})

function readSession(given: unknown): CheckoutSession {
  const session = sessionForm.parse(given)
  const { status, payment_status: payment } = session
  return {
    id: session.id,
    clientSecret: session.client_secret,
    // a status that we do not know is neither paid nor over
    status: STATUSES.find((one) => one === status) ?? 'open',
    isPaid: status === 'complete' && (payment === 'paid' || payment === 'no_payment_required'),
    orderId: session.metadata?.['orderId'] ?? null,
    amountTotal: session.amount_total ?? 0,
    currency: (session.currency ?? '').toUpperCase(),
  }
}
