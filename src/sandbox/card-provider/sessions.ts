import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { CardEntry, CardRefusal } from './test-cards.ts'
import { declineOf, mistakesIn } from './test-cards.ts'
import { addEvent, type EventDelivery } from './webhook-delivery.ts'
import { newDispute, wireCharge, wireDispute } from './refunds.ts'
import type { SandboxStore, SessionRecord, WireLineItem, WirePrice } from './store.ts'
import type { Clock } from '#server/outside/clock.ts'

/** A price of the sandbox. `unitAmount` in cents; `currency` in upper or lower case. */
export interface CatalogPrice {
  id: string
  unitAmount: number
  currency: string
  nickname?: string | null | undefined
  /** shown to the payer beside the amount */
  productName: string
}

export interface CatalogCoupon {
  id: string
  percentOff: number
}

/** What the sandbox sells. */
export interface Catalog {
  prices: readonly CatalogPrice[]
  coupons: readonly CatalogCoupon[]
}

/** Switched on in the provider's settings: a card is charged at once, a bank's debit days later. */
export const PAYMENT_METHODS = ['card', 'us_bank_account']

/** A valid request for a session. */
export interface NewSession {
  lines: { price: WirePrice; quantity: number; description: string }[]
  /** of those switched on, which the form offers; null: all */
  allowedMethods: string[] | null
  coupon: CatalogCoupon | null
  metadata: Record<string, string>
  clientReferenceId: string | null
  returnUrl: string | null
  redirectOnCompletion: Stripe.Checkout.Session.RedirectOnCompletion
  locale: Stripe.Checkout.Session.Locale | null
  /** shown at the button that pays */
  message: string | null
  customerEmail: string | null
  /** epoch seconds */
  expiresAt: number
}

type Payment = { status: 'complete'; record: SessionRecord } | { status: 'refused'; refusals: CardRefusal[] } | { status: 'closed' }

/** Checkout sessions: open, then complete or expired. Every change is on disk before it is reported. */
export interface SandboxSessions {
  make: (wanted: NewSession, created: (session: Stripe.Checkout.Session) => SessionRecord['created']) => SessionRecord
  find: (id: string) => SessionRecord | undefined
  findBySecret: (clientSecret: string) => SessionRecord | undefined
  pay: (record: SessionRecord, card: CardEntry) => Payment
  expire: (record: SessionRecord) => boolean
  settle: (record: SessionRecord, outcome: 'succeeded' | 'failed') => boolean
  /** `amount` in cents */
  refund: (record: SessionRecord, amount: number) => boolean
  /** withdrawn: the payer's bank takes back what has not been refunded · reinstated: it loses the dispute */
  dispute: (record: SessionRecord, outcome: 'withdrawn' | 'reinstated') => boolean
}

export function createSessions(store: SandboxStore, clock: Clock, delivery: EventDelivery, apiVersion: string): SandboxSessions {
  const seconds = () => Math.floor(clock.now().getTime() / 1000)

  function commit(record: SessionRecord, type: Stripe.Event.Type, about: object = record.session): void {
    addEvent(record, { id: newId('evt'), type, apiVersion, requestId: null, about }, store, clock)
    store.save(record)
    delivery.wake()
  }

  function close(record: SessionRecord): void {
    record.session = { ...record.session, status: 'expired', client_secret: null }
    commit(record, 'checkout.session.expired')
  }

  // the first read after its end expires a session
  function expireIfDue(record: SessionRecord | undefined): SessionRecord | undefined {
    if (record?.session.status === 'open' && record.session.expires_at <= seconds()) close(record)
    return record
  }

  return {
    make(wanted, created) {
      const lineItems = lineItemsOf(wanted)
      const session = newSession(wanted, lineItems, seconds())
      const record = { session, lineItems, created: created(session), deliveries: [] }
      store.save(record)
      return record
    },
    find: (id) => expireIfDue(store.find(id)),
    findBySecret(clientSecret) {
      const id = /^(cs_test_\w+?)_secret_/.exec(clientSecret)?.[1]
      const record = id === undefined ? undefined : expireIfDue(store.find(id))
      return record?.session.client_secret === clientSecret || record?.session.status === 'expired' ? record : undefined
    },
    pay(record, card) {
      if (record.session.status === 'complete') return { status: 'complete', record }
      if (record.session.status !== 'open') return { status: 'closed' }
      const mistakes = mistakesIn(card, clock.now().getTime())
      if (mistakes.length > 0) return { status: 'refused', refusals: mistakes }
      const decline = declineOf(card)
      if (decline) return { status: 'refused', refusals: [decline] }
      const isSettled = store.behaviour.settlement === 'at-once'
      record.session = {
        ...record.session,
        status: 'complete',
        payment_status: isSettled ? 'paid' : 'unpaid',
        payment_intent: newId('pi'),
      }
      commit(record, 'checkout.session.completed')
      return { status: 'complete', record }
    },
    expire(record) {
      if (record.session.status !== 'open') return false
      close(record)
      return true
    },
    settle(record, outcome) {
      const { status, payment_status: payment } = record.session
      if (status !== 'complete' || payment !== 'unpaid') return false
      if (outcome === 'succeeded') record.session = { ...record.session, payment_status: 'paid' }
      commit(record, `checkout.session.async_payment_${outcome}`)
      return true
    },
    refund(record, amount) {
      if (amount > leftOf(record)) return false
      record.refunded = (record.refunded ?? 0) + amount
      commit(record, 'charge.refunded', wireCharge(record))
      return true
    },
    dispute(record, outcome) {
      if (outcome === 'withdrawn' && leftOf(record) > 0) record.dispute = newDispute(newId('du'), leftOf(record))
      else if (outcome === 'reinstated' && record.dispute?.isWon === false) record.dispute = { ...record.dispute, isWon: true }
      else return false
      commit(record, `charge.dispute.funds_${outcome}`, wireDispute(record, record.dispute))
      return true
    },
  }
}

/** Cents that have been neither refunded nor withdrawn. */
function leftOf({ session, refunded, dispute }: SessionRecord): number {
  if (session.payment_status !== 'paid') return 0
  return (session.amount_total ?? 0) - (refunded ?? 0) - (dispute?.isWon === false ? dispute.amount : 0)
}

/** `cs_test_…`, `evt_…`: in the provider's format, 144 random bits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('hex')}`
}

function lineItemsOf(wanted: NewSession): WireLineItem[] {
  return wanted.lines.map(({ price, quantity, description }) => {
    const subtotal = (price.unit_amount ?? 0) * quantity
    const total = reduced(subtotal, wanted.coupon)
    return {
      id: newId('li'),
      object: 'item',
      adjustable_quantity: null,
      amount_discount: subtotal - total,
      amount_subtotal: subtotal,
      amount_tax: 0,
      amount_total: total,
      currency: price.currency,
      description,
      metadata: {},
      price,
      quantity,
    }
  })
}

function reduced(cents: number, coupon: CatalogCoupon | null): number {
  return coupon ? Math.round((cents * (100 - coupon.percentOff)) / 100) : cents
}

/** Typed by the SDK, so that it does not compile if the provider adds or drops a field. */
function newSession(wanted: NewSession, items: readonly WireLineItem[], now: number): Stripe.Checkout.Session {
  const id = newId('cs_test')
  const subtotal = items.reduce((sum, item) => sum + item.amount_subtotal, 0)
  const total = items.reduce((sum, item) => sum + item.amount_total, 0)
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: wanted.allowedMethods,
    amount_subtotal: subtotal,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: null,
    client_reference_id: wanted.clientReferenceId,
    client_secret: `${id}_secret_${randomBytes(24).toString('hex')}`,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: wanted.lines[0]?.price.currency ?? null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: wanted.message === null ? null : { message: wanted.message },
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: null,
    customer_email: wanted.customerEmail,
    discounts: wanted.coupon ? [{ coupon: wanted.coupon.id, promotion_code: null }] : [],
    expires_at: wanted.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: wanted.locale,
    managed_payments: null,
    metadata: wanted.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: wanted.allowedMethods ?? PAYMENT_METHODS,
    payment_status: total === 0 ? 'no_payment_required' : 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    redirect_on_completion: wanted.redirectOnCompletion,
    ...(wanted.returnUrl === null ? {} : { return_url: wanted.returnUrl }),
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: null,
    total_details: { amount_discount: subtotal - total, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'embedded_page',
    url: null,
    wallet_options: null,
  }
}
