import { useTranslation } from 'react-i18next'
import { CountryCityFields } from './country-city-fields.tsx'
import { TextControl } from './form-controls.tsx'
import styles from './parts.module.css'

/** Name, e-mail, country and city: what players, coaches and onboarding share. §5 */
export function PersonalFields({ isEmailFixed, emailHint }: { isEmailFixed: boolean; emailHint: string }) {
  const { t } = useTranslation('parts')
  return (
    <>
      <TextControl name="firstName" label={t('FirstName')} isMandatory autoComplete="given-name" />
      <TextControl name="lastName" label={t('LastName')} isMandatory autoComplete="family-name" />
      <div className={styles.whole}>
        <TextControl
          name="email"
          label={t('Email')}
          type="email"
          isMandatory
          isReadOnly={isEmailFixed}
          hint={emailHint}
          autoComplete="email"
        />
      </div>
      <CountryCityFields countryName="countryId" cityName="cityId" countryLabel={t('Country')} cityLabel={t('City')} isOwn />
    </>
  )
}
