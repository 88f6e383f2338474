import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import styles from './brief.module.css'

/** Shown on a screen of 768 px or less before the brief. §1, §2 */
export function MobileWarning({ onContinue }: { onContinue: () => void }) {
  const { t } = useTranslation('assessment')
  return (
    <Page title={t('BriefMobileTitle')}>
      <p>{t('BriefMobileText')}</p>
      <div className={styles.actions}>
        <Button look="primary" onClick={onContinue}>
          {t('BriefMobileContinue')}
        </Button>
        <Link href={paths.home()} className="button">
          {t('BriefMobileReturn')}
        </Link>
      </div>
    </Page>
  )
}
