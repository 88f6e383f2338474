import { LANGUAGES } from '#contract/languages.ts'
import { PAYMENT_METHODS, type Catalog, type CatalogCoupon, type CatalogPrice, type NewSession } from './sessions.ts'
import type { FormFields, FormValue } from './form.ts'
import { invalidRequest, missing } from './refusal.ts'
import type { WirePrice } from './store.ts'

/** The parameters of POST /v1/checkout/sessions that this sandbox supports. Any other is refused, and not ignored. */
const KNOWN = [
  'mode',
  'ui_mode',
  'allowed_payment_method_types',
  'line_items',
  'discounts',
  'metadata',
  'client_reference_id',
  'return_url',
  'redirect_on_completion',
  'locale',
  'custom_text',
  'customer_email',
  'expires_at',
  'expand',
]
const UI_MODES = ['hosted_page', 'embedded_page', 'elements', 'form']
const REDIRECTS = ['always', 'if_required', 'never'] as const
const LOCALES = ['auto', ...LANGUAGES] as const
const MESSAGE_MAXIMUM = 1200
const HALF_HOUR_SECONDS = 1800
const DAY_SECONDS = 86_400

/** Reads the parameters of a new session. Refuses what the provider refuses, with the provider's messages. */
export function readNewSession(form: FormFields, catalog: Catalog, now: number): NewSession {
  refuseUnknown(form, KNOWN, '')
  const mode = text(form, 'mode')
  if (mode === null) throw required('mode')
  if (mode !== 'payment') throw notOneOf('mode', ['payment'])
  const uiMode = text(form, 'ui_mode') ?? 'hosted_page'
  if (!UI_MODES.includes(uiMode)) throw notOneOf('ui_mode', UI_MODES)
  if (uiMode !== 'embedded_page')
    throw invalidRequest(`The sandbox supports ui_mode embedded_page only, not ${uiMode}.`, { param: 'ui_mode' })
  const redirectOnCompletion = oneOf(form, 'redirect_on_completion', REDIRECTS) ?? 'always'
  return {
    lines: readLines(form['line_items'], catalog),
    allowedMethods: readAllowedMethods(form['allowed_payment_method_types']),
    coupon: readCoupon(form['discounts'], catalog),
    metadata: readMetadata(form['metadata']),
    clientReferenceId: text(form, 'client_reference_id'),
    returnUrl: readReturnUrl(form, redirectOnCompletion === 'never'),
    redirectOnCompletion,
    locale: oneOf(form, 'locale', LOCALES),
    message: readMessage(form['custom_text']),
    customerEmail: text(form, 'customer_email'),
    expiresAt: readExpiry(form, now),
  }
}

/** A price in the format of the provider's API. */
export function wirePrice(price: CatalogPrice): WirePrice {
  return {
    id: price.id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: 0,
    currency: price.currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: price.nickname ?? null,
    product: `prod_${price.id}`,
    recurring: null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'one_time',
    unit_amount: price.unitAmount,
    unit_amount_decimal: String(price.unitAmount),
  }
}

function readLines(value: FormValue | undefined, catalog: Catalog): NewSession['lines'] {
  if (!Array.isArray(value) || value.length === 0) throw required('line_items')
  const lines = value.map((item, index) => {
    const at = `line_items[${index}]`
    if (!isFields(item)) throw invalidRequest(`Invalid object: ${at}`, { param: at })
    refuseUnknown(item, ['price', 'quantity'], at)
    const id = text(item, 'price')
    if (id === null) throw required(`${at}[price]`)
    const price = catalog.prices.find((one) => one.id === id)
    if (!price) throw missing('price', id, `${at}[price]`, 400)
    const quantity = text(item, 'quantity')
    if (quantity === null) throw required(`${at}[quantity]`)
    if (!/^[1-9]\d{0,5}$/.test(quantity)) {
      throw invalidRequest(`Invalid integer: ${quantity}`, { code: 'parameter_invalid_integer', param: `${at}[quantity]` })
    }
    return { price: wirePrice(price), quantity: Number(quantity), description: price.productName }
  })
  if (new Set(lines.map((line) => line.price.currency)).size > 1) {
    throw invalidRequest('All prices on a Checkout Session must use the same currency.', { param: 'line_items' })
  }
  return lines
}

function readAllowedMethods(value: FormValue | undefined): string[] | null {
  if (value === undefined || value === '') return null
  const methods = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  if (methods.length === 0 || !methods.every((one) => PAYMENT_METHODS.includes(one)))
    throw notOneOf('allowed_payment_method_types', PAYMENT_METHODS)
  return methods
}

function readCoupon(value: FormValue | undefined, catalog: Catalog): CatalogCoupon | null {
  if (value === undefined || value === '') return null
  const [first, ...rest] = Array.isArray(value) ? value : []
  if (!first || rest.length > 0 || !isFields(first)) throw invalidRequest('You may only specify one discount.', { param: 'discounts' })
  refuseUnknown(first, ['coupon'], 'discounts[0]')
  const id = text(first, 'coupon')
  if (id === null) throw required('discounts[0][coupon]')
  const coupon = catalog.coupons.find((one) => one.id === id)
  if (!coupon) throw missing('coupon', id, 'discounts[0][coupon]', 400)
  return coupon
}

function readMetadata(value: FormValue | undefined): Record<string, string> {
  if (value === undefined || value === '') return {}
  if (!isFields(value)) throw invalidRequest('Invalid object', { param: 'metadata' })
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (typeof one !== 'string') throw invalidRequest('Metadata values must be strings.', { param: `metadata[${name}]` })
      if (name.length > 40 || one.length > 500) throw invalidRequest('Metadata is too long.', { param: `metadata[${name}]` })
      return [name, one]
    }),
  )
}

/** Of the texts beside the form, the one at its button. */
function readMessage(value: FormValue | undefined): string | null {
  if (value === undefined || value === '') return null
  if (!isFields(value)) throw invalidRequest('Invalid object', { param: 'custom_text' })
  refuseUnknown(value, ['submit'], 'custom_text')
  const { submit } = value
  if (submit === undefined || submit === '') return null
  if (!isFields(submit)) throw invalidRequest('Invalid object', { param: 'custom_text[submit]' })
  refuseUnknown(submit, ['message'], 'custom_text[submit]')
  const message = text(submit, 'message')
  if (message === null) throw required('custom_text[submit][message]')
  if (message.length > MESSAGE_MAXIMUM) throw invalidRequest('Message is too long.', { param: 'custom_text[submit][message]' })
  return message
}

function readReturnUrl(form: FormFields, isOptional: boolean): string | null {
  const url = text(form, 'return_url')
  if (url === null && isOptional) return null
  if (url === null) throw required('return_url')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: 'return_url' })
  return url
}

function readExpiry(form: FormFields, now: number): number {
  const wanted = text(form, 'expires_at')
  if (wanted === null) return now + DAY_SECONDS
  const at = Number(wanted)
  if (!Number.isInteger(at)) throw invalidRequest(`Invalid integer: ${wanted}`, { code: 'parameter_invalid_integer', param: 'expires_at' })
  if (at < now + HALF_HOUR_SECONDS || at > now + DAY_SECONDS) {
    throw invalidRequest('The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    })
  }
  return at
}

function text(form: FormFields, name: string): string | null {
  const value = form[name]
  if (value === undefined || value === '') return null
  if (typeof value !== 'string') throw invalidRequest(`Invalid string: ${name}`, { param: name })
  return value
}

function oneOf<const T extends string>(form: FormFields, name: string, allowed: readonly T[]): T | null {
  const value = text(form, name)
  if (value === null) return null
  const found = allowed.find((one) => one === value)
  if (!found) throw notOneOf(name, allowed)
  return found
}

function isFields(value: FormValue): value is FormFields {
  return typeof value === 'object' && !Array.isArray(value)
}

function refuseUnknown(form: FormFields, known: readonly string[], at: string): void {
  const unknown = Object.keys(form).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const param = at === '' ? unknown : `${at}[${unknown}]`
  throw invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
}

function required(param: string) {
  return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

function notOneOf(param: string, allowed: readonly string[]) {
  return invalidRequest(`Invalid ${param}: must be one of ${allowed.join(', ')}`, { param })
}
