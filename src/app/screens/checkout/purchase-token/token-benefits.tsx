import { formatPercent } from '#app/i18n/figures.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { SettingsLink } from '#app/parts/person/settings-link.tsx'
import { TOKEN_COUNT_MAXIMUM } from '#contract/constants.ts'
import { BULK_PROMOTION_DEFAULT } from '#contract/rules/pricing.ts'
import styles from './purchase-token.module.css'
import type { TokenPricing } from './use-token-pricing.ts'

/** What a token gives, in four points. TOKENS-2 */
export function TokenBenefits({ pricing, hasFailed }: { pricing: TokenPricing | undefined; hasFailed: boolean }) {
  const { t } = useTranslation('checkout')
  const { threshold, percent } = pricing?.promotion ?? BULK_PROMOTION_DEFAULT
  return (
    <ul className={styles.benefits}>
      <li>{t('BenefitOneToken')}</li>
      <li>{t('BenefitAssign')}</li>
      {/* until the server's figures have loaded, default ones hold the place, invisible and not read out */}
      <li className={pricing || hasFailed ? undefined : styles.place}>
        {hasFailed ? t('BenefitDiscountUnknown') : t('BenefitDiscount', { threshold, percent: formatPercent(percent) })}
      </li>
      <li>
        {t('BenefitBulk', { maximum: TOKEN_COUNT_MAXIMUM })} <SettingsLink to="contact">{t('ContactUs')}</SettingsLink>
      </li>
    </ul>
  )
}
