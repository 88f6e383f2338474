import Stripe from 'stripe'
import type { Variables } from '#server/env-variables.ts'
import { EVENTS_NEEDED } from '#server/payments/events.ts'
import { textOf } from '../exit.ts'
import { error, ok, warning, type Finding } from './finding.ts'
import { TIMEOUT_MS } from './reply-timeout.ts'

/** Where the provider's API is, if not at its own address: tests. */
export interface CardHost {
  host: string
  port: number
}

/** Reads from the provider what the settings name, and creates nothing there. */
export async function checkCards(set: Variables, at?: CardHost): Promise<Finding[]> {
  const { STRIPE_SECRET_KEY: secret, ASSESSMENT_PRICES: prices = [], TOKEN_PRICE: token, TOKEN_PROMOTION: promotion } = set
  if (secret === undefined) return [ok('STRIPE_SECRET_KEY', 'Payments are those of the demo.')]
  const stripe = new Stripe(secret, {
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(at ? { ...at, protocol: 'http' as const } : {}),
  })
  try {
    const found: Finding[] = []
    for (const price of prices) found.push(...(await checkPrice(stripe, 'ASSESSMENT_PRICES', price)))
    if (token) found.push(...(await checkPrice(stripe, 'TOKEN_PRICE', token)))
    if (promotion) found.push(...(await checkCoupon(stripe, promotion)))
    found.push(...(await checkWebhook(stripe, set)))
    if (found.length > 0) return found
    // no setting may have named anything to ask for; the server needs this right
    await stripe.checkout.sessions.list({ limit: 1 })
    const mode = /_live_/.test(secret) ? 'live' : 'test'
    const known = [`this key (${mode} mode)`, ...(token || prices.length > 0 ? ['the prices'] : []), ...(promotion ? ['the coupon'] : [])]
    return [ok('STRIPE_SECRET_KEY', `The provider knows ${new Intl.ListFormat('en-GB').format(known)}.`)]
  } catch (problem) {
    if (problem instanceof Stripe.errors.StripeAuthenticationError)
      return [error('STRIPE_SECRET_KEY', 'The provider does not know this key: copy it again from its dashboard.')]
    if (problem instanceof Stripe.errors.StripePermissionError)
      return [error('STRIPE_SECRET_KEY', `This restricted key may not do what is needed: ${problem.message}`)]
    return [
      error('STRIPE_SECRET_KEY', `The card provider does not reply: ${textOf(problem)} Let this machine reach api.stripe.com, port 443.`),
    ]
  }
}

/** Whether the provider sends its events here. It does not show the secret of a webhook again, so that is not compared. */
async function checkWebhook(stripe: Stripe, { PUBLIC_URL: origin, TOUCHLINE_MODE: mode }: Variables): Promise<Finding[]> {
  // on this machine events come by the provider's command line tool, if at all
  if (origin === undefined || mode !== 'production') return []
  const url = `${origin.replace(/\/+$/, '')}/api/stripe/webhook`
  const consequence = 'Until then paid orders are fulfilled only when the buyer comes back, and refunds are not seen.'
  let endpoints: Stripe.WebhookEndpoint[]
  try {
    endpoints = (await stripe.webhookEndpoints.list({ limit: 100 })).data.filter((one) => one.url === url)
  } catch (problem) {
    if (!(problem instanceof Stripe.errors.StripePermissionError)) throw problem
    return [warning('STRIPE_WEBHOOK_SECRET', `This restricted key may not list webhooks: look yourself whether one sends to ${url}.`)]
  }
  const enabled = endpoints.filter(({ status }) => status === 'enabled')
  if (enabled.length === 0) {
    const what = endpoints.length > 0 ? `The webhook to ${url} is disabled: enable it.` : `The provider has no webhook to ${url}: make it.`
    return [error('STRIPE_WEBHOOK_SECRET', `${what} ${consequence}`)]
  }
  const sent = new Set(enabled.flatMap(({ enabled_events: events }) => events))
  const missing = sent.has('*') ? [] : EVENTS_NEEDED.filter((name) => !sent.has(name))
  return missing.length === 0
    ? []
    : [error('STRIPE_WEBHOOK_SECRET', `The webhook to ${url} does not send ${missing.join(', ')}: add them. ${consequence}`)]
}

async function checkPrice(
  stripe: Stripe,
  setting: string,
  wanted: { id: string; unitAmount: number; currency: string },
): Promise<Finding[]> {
  const price = await unlessMissing(stripe.prices.retrieve(wanted.id))
  if (!price)
    return [error(setting, `The provider has no price ${wanted.id} in the mode of this key: copy the id again, of the same mode.`)]
  const is = `${price.unit_amount} ${price.currency.toUpperCase()}`
  const said = `${wanted.unitAmount} ${wanted.currency.toUpperCase()}`
  if (is !== said)
    return [
      error(
        setting,
        `${wanted.id} is ${is} at the provider and ${said} here, in cents: people would be shown another amount than they pay. Correct the setting.`,
      ),
    ]
  return price.active ? [] : [error(setting, `${wanted.id} is archived at the provider: activate it, or name another price.`)]
}

async function checkCoupon(stripe: Stripe, { coupon, promotionValue }: { coupon: string; promotionValue: number }): Promise<Finding[]> {
  const found = await unlessMissing(stripe.coupons.retrieve(coupon))
  if (!found)
    return [error('TOKEN_PROMOTION', `The provider has no coupon ${coupon} in the mode of this key: make it, or correct its name.`)]
  if (found.percent_off === promotionValue) return []
  return [
    error(
      'TOKEN_PROMOTION',
      `${coupon} gives ${found.percent_off ?? 0} % at the provider and ${promotionValue} % here: make them the same.`,
    ),
  ]
}

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (problem) {
    if (problem instanceof Stripe.errors.StripeInvalidRequestError && problem.code === 'resource_missing') return undefined
    throw problem
  }
}
