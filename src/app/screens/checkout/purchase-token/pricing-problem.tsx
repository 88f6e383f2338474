import type { ReactNode } from 'react'
import { useReachable } from '#app/api/use-network-state.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'

/** Says that the price could not be read. Once the connection is back it is read again without a tap. */
export function PricingProblem({ onRetry, children }: { onRetry: () => void; children?: ReactNode }) {
  const { t } = useTranslation('checkout')
  const isReachable = useReachable()
  return (
    <div role="alert" className={isReachable ? 'notice notice-refused stack' : 'notice notice-wait stack'}>
      <p>{isReachable ? t('PricingFailed') : t('PricingNeedsConnection')}</p>
      <div className="row">
        <Button onClick={onRetry}>{t('TryAgain')}</Button>
        {children}
      </div>
    </div>
  )
}
