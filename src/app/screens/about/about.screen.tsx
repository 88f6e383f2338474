/** /about: the test, the platform, what a result is and is not, and links. ABOUT-1, ABOUT-2 */
import { useEffect, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useSettings } from '#app/api/use-settings.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'
import { Page } from '#app/ui/layout/page.tsx'
import { PlaceholderLink } from '#app/ui/layout/placeholder-link.tsx'
import { REOPEN_DAYS } from '#contract/constants.ts'
import styles from './about.module.css'

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
          <Limits />
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

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}

function Limits() {
  const { t } = useTranslation('about')
  return (
    <Part id="limits" title={t('AboutLimitsTitle')}>
      <div className={styles.isAndIsNot}>
        <div>
          <h3>{t('AboutLimitsIsTitle')}</h3>
          <ul className={styles.list}>
            <li>{t('AboutLimitsIsYours')}</li>
            <li>{t('AboutLimitsIsPreference')}</li>
            <li>{t('AboutLimitsIsStart')}</li>
          </ul>
        </div>
        <div>
          <h3>{t('AboutLimitsIsNotTitle')}</h3>
          <ul className={styles.list}>
            <li>{t('AboutLimitsNotAbility')}</li>
            <li>{t('AboutLimitsNotSelection')}</li>
            <li>{t('AboutLimitsNotComparison')}</li>
            <li>{t('AboutLimitsNotForever')}</li>
          </ul>
        </div>
      </div>
      <h3>{t('AboutLimitsEvidenceTitle')}</h3>
      <p>{t('AboutLimitsEvidence')}</p>
      <h3>{t('AboutLimitsCertaintyTitle')}</h3>
      <p>{t('AboutLimitsCertaintyAgain')}</p>
      <p>{t('AboutLimitsCertaintyLetters')}</p>
      <p>{t('AboutLimitsCertaintyStyle')}</p>
      <p>{t('AboutLimitsCertaintyCoin')}</p>
      <h3>{t('AboutLimitsAgainTitle')}</h3>
      <p>{t('AboutLimitsAgain')}</p>
      <h3>{t('AboutLimitsWhoTitle')}</h3>
      <p>{t('AboutLimitsWho')}</p>
      <h3>{t('AboutLimitsDeleteTitle')}</h3>
      <p>
        {t('AboutLimitsDelete', { days: REOPEN_DAYS })} <Link href={paths.profile()}>{t('AboutLimitsDeleteLink')}</Link>
      </p>
    </Part>
  )
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
  const { t } = useTranslation('about')
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="out-link">
      {children}
      <span className="visually-hidden"> ({t('AboutOpensInNewTab')})</span>
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
