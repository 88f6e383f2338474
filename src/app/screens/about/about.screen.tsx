/** /about: the test, the platform, what a result is and is not, and links. ABOUT-1, ABOUT-2 */
import { useEffect, type ReactNode } from 'react'
import { useSettings } from '#app/api/use-settings.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Page } from '#app/ui/layout/page.tsx'
import { PlaceholderLink } from '#app/ui/layout/placeholder-link.tsx'
import styles from './about.module.css'
import { Limits } from './limits.tsx'
import { Part } from './part.tsx'

export default function AboutScreen() {
  const { t } = useTranslation('about')
  useEffect(showLinkedPart, [])
  return (
    <Page title={t('AboutTitle')} intro={t('AboutLead')} width="wide">
      <div className={styles.columns}>
        <div className={styles.parts}>
          <Part id="test" title={t('AboutTestTitle')}>
            <ol className={styles.steps}>
              <li>{t('AboutTestRanking')}</li>
              <li>{t('AboutTestPairs')}</li>
              <li>{t('AboutTestAgreement')}</li>
            </ol>
          </Part>
          <Part id="platform" title={t('AboutPlatformTitle')}>
            <div className={styles.pair}>
              <p>{t('AboutPlatformPlayers')}</p>
              <p>{t('AboutPlatformCoaches')}</p>
            </div>
          </Part>
          <Part id="limits" title={t('AboutLimitsTitle')}>
            <Limits heading="h3" />
          </Part>
        </div>
        <div className={styles.side}>
          <Links />
          <Part id="credits" title={t('AboutCreditsTitle')}>
            <Credit />
          </Part>
        </div>
      </div>
    </Page>
  )
}

/** Scrolls to the section in the URL's hash: the results and the brief link to one. */
function showLinkedPart(): void {
  const part = document.getElementById(location.hash.slice(1))
  part?.scrollIntoView()
  part?.focus({ preventScroll: true })
}

/** From the settings; a link that is not set leads nowhere and says so. OPERATE-3 */
function Links() {
  const { t } = useTranslation('about')
  const links = useSettings()?.links
  return (
    <Part id="links" title={t('AboutLinksTitle')}>
      <ul className={styles.links}>
        <LinkItem label={t('AboutWebsite')} href={links?.website} />
        <LinkItem label={t('AboutVideoChannel')} href={links?.videoChannel} />
        <LinkItem label={t('AboutTerms')} href={links?.terms} />
        <LinkItem label={t('AboutPrivacy')} href={links?.privacy} />
        <LinkItem label={t('AboutContact')} href={links?.contact} />
      </ul>
    </Part>
  )
}

function LinkItem({ label, href }: { label: string; href: string | null | undefined }) {
  return <li>{href ? <OutsideLink href={href}>{label}</OutsideLink> : <PlaceholderLink>{label}</PlaceholderLink>}</li>
}

function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="out-link">
      {children}
      <span className="visually-hidden"> ({t('OpensInNewTab')})</span>
    </a>
  )
}

const GEONAMES = 'https://www.geonames.org/'
const LICENCE = 'https://creativecommons.org/licenses/by/4.0/'

function Credit() {
  const { t } = useTranslation('about')
  return (
    <p>
      {t('AboutCreditsCities')} <OutsideLink href={GEONAMES}>{t('AboutCreditsGeoNames')}</OutsideLink>, {t('AboutCreditsLicence')}{' '}
      <OutsideLink href={LICENCE}>{t('AboutCreditsLicenceName')}</OutsideLink>.
    </p>
  )
}
