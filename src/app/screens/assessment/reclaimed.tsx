import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import '#app/parts/actions.css'
import { paths } from '#app/paths.ts'
import { Page } from '#app/ui/layout/page.tsx'

/** For the player whose coach has reclaimed the assessment. What to do with unsent answers is asked on the dashboard (BRIEF-7, ASSIGN-21). */
export function Reclaimed({ title }: { title: string }) {
  const { t } = useTranslation(['assessment', 'errors'])
  return (
    <Page title={title}>
      <p role="alert">{t('errors:INSTANCE_RECLAIMED')}</p>
      <div className="actions message">
        <Link href={paths.home()} className="button button-primary">
          {t('ReturnToDashboard')}
        </Link>
      </div>
    </Page>
  )
}
