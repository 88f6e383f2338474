import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { refundsOf, paymentOf, type Refunds } from './card-refunds.ts'

/** What is bought, at the provider's own prices; the amount is theirs to compute and ours to check. */
export interface SessionRequest {
  /** the order's; the same key with the same request brings the same session again */
  idempotencyKey: string
  orderId: string
  userId: string
  priceId: string
  quantity: number
  /** the provider's discount */
  coupon: string | null
  /** carries the literal `{CHECKOUT_SESSION_ID}` */
  returnUrl: string
  language: 'en' | 'fr'
}

/** A checkout session as far as the product looks at it. */
export interface CheckoutSession {
  id: string
  /** mounts the form; null once there is nothing left to pay */
  clientSecret: string | null
  status: 'open' | 'complete' | 'expired'
  /** the money is there, or none is wanted */
  isPaid: boolean
  /** the order it was made for */
  orderId: string | null
  /** cents, after discounts */
  amountTotal: number
  /** upper case */
  currency: string
}

/** A verified event: the checkout session it is about, or the payment that money of went back; null where it is about neither. */
export interface ProviderEvent {
  id: string
  type: string
  sessionId: string | null
  paymentId: string | null
}

/** The card provider did not do what it was asked: unreachable, failing, or refusing us. Nothing is known of the outcome. */
export class CardPaymentsError extends Error {
  constructor(cause: unknown) {
    super('The card provider did not answer as it should.', { cause })
  }
}

export interface CardPayments extends Refunds {
  /** for the portal, which loads `script` (null: the provider's own) */
  readonly publishableKey: string
  readonly script: string | null
  openSession: (request: SessionRequest) => Promise<CheckoutSession>
  /** null: the provider knows no such session */
  findSession: (id: string) => Promise<CheckoutSession | null>
  /** Closes a session, so that it can no longer be paid; harmless to repeat. */
  expireSession: (id: string) => Promise<void>
  /** Checks signature and age over the bytes as they came; null when either is wrong. */
  readEvent: (body: Buffer, signature: string, receivedAt: Date) => ProviderEvent | null
}

export interface CardPaymentsSettings {
  secretKey: string
  publishableKey: string
  webhookSecret: string
  /** where the SDK is pointed instead of the provider, with the script that belongs to it */
  sandbox?: { host: string; port: number; script: string }
  /** milliseconds the provider has for one answer */
  timeoutMs?: number
}

const STATUSES = ['open', 'complete', 'expired'] as const
const TOLERANCE_SECONDS = 300
const TIMEOUT_MS = 6_000

/** The provider by its own SDK, in every mode: without a key only the address differs. docs/decisions/0013-card-sandbox.md */
export function cardPayments(settings: CardPaymentsSettings): CardPayments {
  const { sandbox } = settings
  const stripe = new Stripe(settings.secretKey, {
    // With the same Idempotency-Key; more than one would keep the buyer waiting.
    maxNetworkRetries: 1,
    timeout: settings.timeoutMs ?? TIMEOUT_MS,
    telemetry: false,
    ...(sandbox ? { host: sandbox.host, port: sandbox.port, protocol: 'http' as const } : {}),
  })
  const moneyBack = refundsOf(stripe)
  return {
    publishableKey: settings.publishableKey,
    script: sandbox?.script ?? null,
    openSession: (request) =>
      asked(async () => {
        const params = paramsOf(request)
        return readSession(await stripe.checkout.sessions.create(params, { idempotencyKey: keyOf(request, params) }))
      }),
    findSession: (id) =>
      asked(async () => {
        try {
          return readSession(await stripe.checkout.sessions.retrieve(id))
        } catch (error) {
          if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
          throw error
        }
      }),
    expireSession: (id) =>
      asked(async () => {
        try {
          await stripe.checkout.sessions.expire(id)
        } catch (error) {
          // closed by another call meanwhile: that is what was wanted
          const { status } = await stripe.checkout.sessions.retrieve(id)
          if (status !== 'expired') throw error
        }
      }),
    findSessionOfPayment: (paymentId) => asked(() => moneyBack.findSessionOfPayment(paymentId)),
    readRefunded: (paymentId) => asked(() => moneyBack.readRefunded(paymentId)),
    readEvent(body, signature, receivedAt) {
      try {
        const { webhookSecret } = settings
        const event = stripe.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_SECONDS, undefined, receivedAt.getTime())
        const about = event.data.object
        return {
          id: event.id,
          type: event.type,
          sessionId: about.object === 'checkout.session' ? about.id : null,
          paymentId: paymentOf(about),
        }
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
        throw error
      }
    },
  }
}

function paramsOf(request: SessionRequest): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    ui_mode: 'embedded_page',
    line_items: [{ price: request.priceId, quantity: request.quantity }],
    ...(request.coupon === null ? {} : { discounts: [{ coupon: request.coupon }] }),
    client_reference_id: request.userId,
    metadata: { orderId: request.orderId },
    return_url: request.returnUrl,
    locale: request.language,
  }
}

/**
 * The provider refuses a key that comes back with other parameters, for a day. So the key names them as well: after a
 * change of language or of settings an order without a session gets one, and a plain retry still finds its own.
 */
function keyOf({ idempotencyKey }: SessionRequest, params: Stripe.Checkout.SessionCreateParams): string {
  return `${idempotencyKey}-${createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 32)}`
}

/** The SDK's errors become ours; anything else is a bug and stays what it is. */
async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) throw new CardPaymentsError(error)
    throw error
  }
}

function readSession(session: Stripe.Checkout.Session): CheckoutSession {
  const { status, payment_status: payment } = session
  return {
    id: session.id,
    clientSecret: session.client_secret,
    // one the SDK does not know yet is not paid and not over
    status: STATUSES.find((one) => one === status) ?? 'open',
    isPaid: status === 'complete' && (payment === 'paid' || payment === 'no_payment_required'),
    orderId: session.metadata?.['orderId'] ?? null,
    amountTotal: session.amount_total ?? 0,
    currency: (session.currency ?? '').toUpperCase(),
  }
}
