import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { BriefNotice } from './brief-notice.tsx'

const READ_KEY = 'smallScreenRead'

/** Whether the warning was read and closed on this device; cleared at sign-out. */
export function useSmallScreenWarning(): { isRead: boolean; markRead: () => void } {
  const [isRead, setIsRead] = useState(() => localStorage.getItem(READ_KEY) !== null)
  const markRead = () => {
    setIsRead(true)
    trySetItem(READ_KEY, '1')
  }
  return { isRead, markRead }
}

/** Shown on a screen of 768 px or less before the brief. BRIEF-4 */
export function MobileWarning({ onContinue }: { onContinue: () => void }) {
  const { t } = useTranslation(['assessment', 'brief'])
  return (
    <BriefNotice title={t('brief:BriefMobileTitle')} action={t('brief:BriefMobileContinue')} onAction={onContinue}>
      <p>{t('brief:BriefMobileText')}</p>
    </BriefNotice>
  )
}
