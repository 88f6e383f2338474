import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import '#app/parts/actions.css'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'

/** Shown on a screen of 768 px or less before the brief. §1, §2 */
export function MobileWarning({ onContinue }: { onContinue: () => void }) {
  const { t } = useTranslation('assessment')
  return (
    <Page title={t('BriefMobileTitle')}>
      <p>{t('BriefMobileText')}</p>
      <div className="actions message">
        <Button look="primary" onClick={onContinue}>
          {t('BriefMobileContinue')}
        </Button>
        <Link href={paths.home()} className="button">
          {t('ReturnToDashboard')}
        </Link>
      </div>
    </Page>
  )
}
