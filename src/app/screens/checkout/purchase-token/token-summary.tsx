import { useId } from 'react'
import { formatPercent } from '#app/i18n/figures.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import '#app/parts/grass.css'
import { Price } from '#app/parts/assessment/price.tsx'
import { BULK_PROMOTION_DEFAULT, formatPrice, type Price as UnitPrice } from '#contract/rules/pricing.ts'
import styles from './purchase-token.module.css'
import { costOfTokens, tokensToDiscount, type TokenPricing } from './use-token-pricing.ts'

interface Props {
  count: number
  /** undefined while loading or after a failure */
  pricing: TokenPricing | undefined
  /** an additional line, where the screen does not say it elsewhere */
  note?: string
}

// invisible, as tall as the real pricing
const PLACEHOLDER: TokenPricing = {
  priceId: undefined,
  price: { id: '', unitAmount: 0, currency: 'usd' },
  promotion: BULK_PROMOTION_DEFAULT,
}

/** The number of tokens, the price of one, and the total: with its discount, or how many more tokens would bring one. TOKENS-8 */
export function TokenSummary({ count, pricing, note }: Props) {
  const { t } = useTranslation('checkout')
  const headingId = useId()
  const { price, promotion } = pricing ?? PLACEHOLDER
  return (
    <section aria-labelledby={headingId} className={`grass ${styles.summary}`}>
      <h2 id={headingId}>{t('TokenCount', { count })}</h2>
      {note && <p>{note}</p>}
      {price && (
        <div className={pricing ? styles.money : `${styles.money} ${styles.place}`}>
          <p>{t('UnitPrice', { price: formatPrice(price.unitAmount, price.currency) })}</p>
          <Total count={count} price={price} promotion={promotion} />
        </div>
      )}
    </section>
  )
}

function Total({ count, price, promotion }: { count: number; price: UnitPrice; promotion: TokenPricing['promotion'] }) {
  const { t } = useTranslation('checkout')
  const cost = costOfTokens(price, count, promotion)
  const missing = tokensToDiscount(count, promotion)
  const percent = formatPercent(promotion.percent)
  return (
    <>
      <p role="status" className={styles.total}>
        <span>{t('Total')}</span> <Price cost={cost} />
      </p>
      <p className={styles.discount}>
        {cost.original !== undefined && t('DiscountApplied', { percent })}
        {missing > 0 && t('MoreToDiscount', { count: missing, percent })}
      </p>
    </>
  )
}
