import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import '#app/parts/actions.css'
import { paths } from '#app/paths.ts'
import { remember } from '#app/remember.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'

const READ_KEY = 'smallScreenRead'

/** Whether somebody has read the warning on this device and continued; cleared at sign-out with everything else. */
export function useSmallScreenWarning(): { isRead: boolean; noteRead: () => void } {
  const [isRead, setIsRead] = useState(() => localStorage.getItem(READ_KEY) !== null)
  const noteRead = () => {
    setIsRead(true)
    remember(READ_KEY, '1')
  }
  return { isRead, noteRead }
}

/** Shown on a screen of 768 px or less before the brief. BRIEF-4 */
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
