import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { CountryCityFields } from './country-city-fields.tsx'
import { FieldGrid } from './field-grid.tsx'
import { TextControl } from './form-controls.tsx'
import styles from '#app/parts/parts.module.css'

interface Props {
  isEmailFixed: boolean
  emailHint: string
}

/** Name, e-mail, country and city: shared by the player, coach and onboarding forms. PROFILE-6 */
export function PersonalFields({ isEmailFixed, emailHint }: Props) {
  const { t } = useTranslation('details')
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

/** The personal fields under their heading; `children` are fields of one role. */
export function PersonalSection({ children, ...fields }: Props & { children?: ReactNode }) {
  const { t } = useTranslation('details')
  return (
    <section className={styles.part}>
      <h2>{t('PersonalInformation')}</h2>
      <div className={styles.sheet}>
        <FieldGrid>
          <PersonalFields {...fields} />
          {children}
        </FieldGrid>
      </div>
    </section>
  )
}
