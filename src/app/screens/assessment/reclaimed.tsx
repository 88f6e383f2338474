import { useTranslation } from '#app/i18n/use-translation.ts'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import '#app/parts/actions.css'
import { Page } from '#app/ui/layout/page.tsx'

/** Says that the coach has reclaimed the assessment. The dashboard asks what to do with unsent answers (BRIEF-7, ASSIGN-21). */
export function Reclaimed({ title }: { title: string }) {
  const { t } = useTranslation(['assessment', 'errors'])
  return (
    <Page title={title}>
      <p role="alert">{t('errors:INSTANCE_RECLAIMED')}</p>
      <div className="actions message">
        <DashboardLink variant="primary" />
      </div>
    </Page>
  )
}
