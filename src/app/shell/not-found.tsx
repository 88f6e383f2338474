import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { paths } from '#app/paths.ts'
import { Page } from '#app/ui/page.tsx'

/** A URL that no screen answers. */
export function NotFound() {
  const { t } = useTranslation('shell')
  return (
    <Page title={t('PageNotFound')}>
      <p>{t('PageNotFoundHint')}</p>
      <div>
        <Link href={paths.home()} className="button button-primary">
          {t('ToDashboard')}
        </Link>
      </div>
    </Page>
  )
}
