/** /about/results: what a result is and is not, for anybody: parents, coaches and players, signed in or not. ABOUT-4 */
import { useTranslation } from '#app/i18n/use-translation.ts'
import { PortalLink } from '#app/parts/portal-link.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import styles from './about.module.css'
import { Limits } from './limits.tsx'

export default function AboutResultsScreen() {
  const { t } = useTranslation('about')
  return (
    <Page title={t('AboutLimitsTitle')} intro={t('AboutLead')}>
      <div className={styles.part}>
        <Limits heading="h2" />
        <PortalLink />
      </div>
    </Page>
  )
}
