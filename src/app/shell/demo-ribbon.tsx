import { useTranslation } from '#app/i18n/use-translation.ts'
import { useCall } from '#app/api/use-call.ts'
import { settings } from '#contract/settings.ts'

/** Says that this is the demo mode, and where its mails are (design 8). */
export function DemoRibbon() {
  const { t } = useTranslation('shell')
  const { data } = useCall(settings.get)
  if (data?.mode !== 'demo') return null
  return (
    <aside className="ribbon" aria-label={t('DemoMode')}>
      {data.hasMailbox === false ? (
        t('DemoRibbonRealMails')
      ) : (
        <>
          {t('DemoRibbon')} <a href="/dev/mail">{t('DemoMailbox')}</a>
        </>
      )}
    </aside>
  )
}
