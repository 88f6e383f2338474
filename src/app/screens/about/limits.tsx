import { Link } from 'wouter'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'
import { REOPEN_DAYS } from '#contract/constants.ts'
import styles from './about.module.css'

/** What a result is and is not, and how sure. ABOUT-2, ABOUT-3 */
export function Limits({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const { t } = useTranslation('about')
  return (
    <>
      <div className={styles.isAndIsNot}>
        <div>
          <Heading>{t('AboutLimitsIsTitle')}</Heading>
          <ul className={styles.list}>
            <li>{t('AboutLimitsIsYours')}</li>
            <li>{t('AboutLimitsIsPreference')}</li>
            <li>{t('AboutLimitsIsStart')}</li>
          </ul>
        </div>
        <div>
          <Heading>{t('AboutLimitsIsNotTitle')}</Heading>
          <ul className={styles.list}>
            <li>{t('AboutLimitsNotAbility')}</li>
            <li>{t('AboutLimitsNotSelection')}</li>
            <li>{t('AboutLimitsNotComparison')}</li>
            <li>{t('AboutLimitsNotForever')}</li>
          </ul>
        </div>
      </div>
      <Heading>{t('AboutLimitsEvidenceTitle')}</Heading>
      <p>{t('AboutLimitsEvidence')}</p>
      <Heading>{t('AboutLimitsMeasuredTitle')}</Heading>
      <p>{t('AboutLimitsMeasured')}</p>
      <p>{t('AboutLimitsMeasuredBalance')}</p>
      <p>{t('AboutLimitsMeasuredUnread')}</p>
      <Heading>{t('AboutLimitsCertaintyTitle')}</Heading>
      <p>{t('AboutLimitsCertaintyAgain')}</p>
      <p>{t('AboutLimitsCertaintyLetters')}</p>
      <p>{t('AboutLimitsCertaintyStyle')}</p>
      <p>{t('AboutLimitsMeasuredFacets')}</p>
      <p>{t('AboutLimitsCertaintyCoin')}</p>
      <Heading>{t('AboutLimitsAgainTitle')}</Heading>
      <p>{t('AboutLimitsAgain')}</p>
      <Heading>{t('AboutLimitsWhoTitle')}</Heading>
      <p>{t('AboutLimitsWho')}</p>
      <Heading>{t('AboutLimitsDeleteTitle')}</Heading>
      <p>
        {t('AboutLimitsDelete', { days: REOPEN_DAYS })} <Link href={paths.profile()}>{t('AboutLimitsDeleteLink')}</Link>
      </p>
    </>
  )
}
