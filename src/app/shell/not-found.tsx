import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { paths } from '#app/paths.ts'
import { Page } from '#app/ui/layout/page.tsx'

/** Shown for a URL that has no screen. */
export function NotFound() {
  const { t } = useTranslation('shell')
  return (
    <Page title={t('PageNotFound')}>
      <p className="nothing">{t('PageNotFoundHint')}</p>
      <div>
        <Link href={paths.home()} className="button button-primary">
          {t('ToDashboard')}
        </Link>
      </div>
    </Page>
  )
}
