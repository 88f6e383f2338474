import { TOKEN_COUNT_MAXIMUM, TOKEN_COUNT_MINIMUM } from '#contract/constants.ts'
import { tokensTotal } from '#contract/rules/pricing.ts'
import { screens } from '#contract/screens.ts'
import type { tokens } from '#contract/tokens.ts'
import type { Env } from '../env.ts'
import type { Handler } from '../http/handler.ts'
import { callCardProvider } from '../payments/call-card-provider.ts'
import { openCheckout } from '../payments/orders.ts'
import type { Quote } from '../payments/store.ts'

const RETURN_PATH = `${screens.tokenPurchaseReturn.path}?session_id={CHECKOUT_SESSION_ID}`

/** Opens a checkout session for 1 to 100 tokens, or returns the coach's open one for the same quote. */
export const checkout: Handler<typeof tokens.checkout> = async ({ params, caller, language, refuse, deps }) => {
  if (params.priceId !== deps.env.tokenPrice.id) return refuse('INVALID_PRICE')
  const quantity = /^[1-9]\d{0,3}$/.test(params.quantity) ? Number(params.quantity) : 0
  if (quantity < TOKEN_COUNT_MINIMUM || quantity > TOKEN_COUNT_MAXIMUM) return refuse('INVALID_QUANTITY')
  const buyer = { userId: caller.userId, language, returnPath: RETURN_PATH }
  const session = await callCardProvider(
    deps.log,
    () => openCheckout(deps, buyer, quoteOf(deps.env, quantity)),
    () => refuse('PAYMENTS_UNAVAILABLE', { retryAfter: 30 }),
  )
  return { clientSecret: session.clientSecret, sessionId: session.id }
}

/** The bulk discount is applied automatically. TOKENS-8 */
function quoteOf({ tokenPrice, tokenPromotion }: Env, quantity: number): Quote {
  const { id: priceId, unitAmount, currency } = tokenPrice
  const { coupon, conditionValue: threshold, promotionValue: percent } = tokenPromotion
  const amountTotal = tokensTotal(unitAmount, quantity, { threshold, percent })
  const isReduced = amountTotal < unitAmount * quantity
  return { kind: 'tokens', assessmentId: null, priceId, quantity, unitAmount, amountTotal, currency, coupon: isReduced ? coupon : null }
}
