import { useTranslation } from '#app/i18n/use-translation.ts'
import type { Assessment } from '#contract/assessments.ts'
import { CURRENCY_DEFAULT } from '#contract/constants.ts'
import { formatPrice, promotionPrice, regularPrice, showsDiscount } from '#contract/rules/pricing.ts'

/** What a purchase costs, in cents; `original` is set only if a discount is shown. BUY-10 */
export interface Cost {
  amount: number
  original: number | undefined
  currency: string
}

/** undefined if the assessment has no price. Without a price list the currency is the default. BUY-10 */
export function costOf(assessment: Pick<Assessment, 'price' | 'originalPrice' | 'prices'>): Cost | undefined {
  const promotion = promotionPrice(assessment.prices)
  const regular = regularPrice(assessment.prices)
  const current = promotion ?? regular ?? assessment.price
  if (!current) return undefined
  const original = regular?.unitAmount ?? assessment.originalPrice?.unitAmount
  return {
    amount: current.unitAmount,
    original: showsDiscount(current.unitAmount, original) ? original : undefined,
    currency: assessment.prices.length > 0 ? current.currency : CURRENCY_DEFAULT,
  }
}

/** The price to pay, after the struck-through original price if there is a discount. BUY-4 */
export function Price({ cost }: { cost: Cost }) {
  const { t } = useTranslation('parts')
  const paid = formatPrice(cost.amount, cost.currency)
  if (cost.original === undefined) return <span>{paid}</span>
  return (
    <span className="price">
      <span>
        <span className="visually-hidden">{t('OriginalPrice')} </span>
        <del>{formatPrice(cost.original, cost.currency)}</del>
      </span>
      <span>
        <span className="visually-hidden">{t('DiscountedPrice')} </span>
        {paid}
      </span>
    </span>
  )
}
