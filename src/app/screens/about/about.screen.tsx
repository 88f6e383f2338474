/** /about: the test, the platform, what a result is and is not, and where to find us. §2, ruling 36; conventions §7 limits */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '#app/api/use-call.ts'
import { Page } from '#app/ui/page.tsx'
import { settings as settingsCalls } from '#contract/settings.ts'
import styles from './about.module.css'

export default function AboutScreen() {
  const { t } = useTranslation('about')
  return (
    <Page title={t('AboutTitle')} intro={t('AboutLead')}>
      <Part id="test" title={t('AboutTestTitle')}>
        <p>{t('AboutTestRanking')}</p>
        <p>{t('AboutTestPairs')}</p>
        <p>{t('AboutTestAgreement')}</p>
      </Part>
      <Part id="platform" title={t('AboutPlatformTitle')}>
        <p>{t('AboutPlatformPlayers')}</p>
        <p>{t('AboutPlatformCoaches')}</p>
      </Part>
      <Limits />
      <Links />
      <Part id="credits" title={t('AboutCreditsTitle')}>
        <Credit />
      </Part>
    </Page>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

function Limits() {
  const { t } = useTranslation('about')
  return (
    <Part id="limits" title={t('AboutLimitsTitle')}>
      <h3>{t('AboutLimitsIsTitle')}</h3>
      <ul className={styles.list}>
        <li>{t('AboutLimitsIsYours')}</li>
        <li>{t('AboutLimitsIsPreference')}</li>
        <li>{t('AboutLimitsIsStart')}</li>
      </ul>
      <h3>{t('AboutLimitsIsNotTitle')}</h3>
      <ul className={styles.list}>
        <li>{t('AboutLimitsNotAbility')}</li>
        <li>{t('AboutLimitsNotSelection')}</li>
        <li>{t('AboutLimitsNotComparison')}</li>
        <li>{t('AboutLimitsNotForever')}</li>
      </ul>
      <p>{t('AboutLimitsEvidence')}</p>
      <p>{t('AboutLimitsWho')}</p>
    </Part>
  )
}

/** Website and video channel as the settings have them; the last three lead nowhere yet, as specified. §2, rulings 29, 36 */
function Links() {
  const { t } = useTranslation('about')
  const settings = useCall(settingsCalls.get)
  const links = settings.data?.links
  return (
    <Part id="links" title={t('AboutLinksTitle')}>
      <ul className={styles.links}>
        <Target label={t('AboutWebsite')} href={links?.website} />
        <Target label={t('AboutVideoChannel')} href={links?.videoChannel} />
        <Target label={t('AboutTerms')} />
        <Target label={t('AboutPrivacy')} />
        <Target label={t('AboutContact')} />
      </ul>
    </Part>
  )
}

function Target({ label, href }: { label: string; href?: string | undefined }) {
  const { t } = useTranslation('about')
  return (
    <li>
      {href ? (
        <a href={href} target="_blank" rel="noopener noreferrer" className={styles.out}>
          {label}
          <span className="visually-hidden"> ({t('AboutOpensInNewTab')})</span>
        </a>
      ) : (
        <span role="link" aria-disabled="true" className={styles.placeholder}>
          {label}
        </span>
      )}
    </li>
  )
}

const GEONAMES = 'https://www.geonames.org/'
const LICENCE = 'https://creativecommons.org/licenses/by/4.0/'

function Credit() {
  const { t } = useTranslation('about')
  return (
    <p>
      {t('AboutCreditsCities')}{' '}
      <a href={GEONAMES} target="_blank" rel="noopener noreferrer">
        {t('AboutCreditsGeoNames')}
      </a>
      , {t('AboutCreditsLicence')}{' '}
      <a href={LICENCE} target="_blank" rel="noopener noreferrer">
        {t('AboutCreditsLicenceName')}
      </a>
      .
    </p>
  )
}
