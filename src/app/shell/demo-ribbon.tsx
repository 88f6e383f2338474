import { useSettings } from '#app/api/use-settings.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'

/** Says that the portal runs in demo mode, and links to its mailbox (OPERATE-1, OPERATE-4). */
export function DemoRibbon() {
  const { t } = useTranslation('shell')
  const settings = useSettings()
  if (settings?.mode !== 'demo') return null
  return (
    <aside className="ribbon" aria-label={t('DemoMode')}>
      {settings.hasMailbox === false ? (
        t('DemoRibbonRealMails')
      ) : (
        <>
          {t('DemoRibbon')} <a href="/dev/mail">{t('DemoMailbox')}</a>
        </>
      )}
    </aside>
  )
}
