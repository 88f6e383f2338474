import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { useReachable } from '#app/api/network.ts'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import '#app/parts/actions.css'

/** The assessment is missing, or its load failed. §2 Checkout area, §8 Other */
export function AssessmentNotFound({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('checkout')
  const isReachable = useReachable()
  return (
    <Page title={t('AssessmentNotFound')} intro={t('AssessmentNotFoundDescription')}>
      {!isReachable && <p className="notice">{t('AssessmentUnreachable')}</p>}
      <div className="actions message">
        <Link href={paths.home()} className="button button-primary">
          {t('ReturnToDashboard')}
        </Link>
        <Button onClick={onRetry}>{t('TryAgain')}</Button>
      </div>
    </Page>
  )
}
