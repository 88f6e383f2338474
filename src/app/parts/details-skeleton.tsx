import { useTranslation } from '#app/i18n/use-translation.ts'
import { FieldGrid } from './field-grid.tsx'
import styles from './parts.module.css'

/** The place of a details form: as many fields as a person's own have, where they will stand. */
export function DetailsSkeleton({ fields = 8 }: { fields?: number }) {
  const { t } = useTranslation('ui')
  return (
    <div role="status" aria-busy="true" className={`${styles.part} ${styles.loading}`}>
      <span className="visually-hidden">{t('Loading')}</span>
      <div className={`skeleton ${styles.barHeading}`} />
      <div className={styles.sheet}>
        <FieldGrid>
          {Array.from({ length: fields }, (_, at) => (
            <div key={at}>
              <div className={`skeleton ${styles.barLabel}`} />
              <div className={`skeleton ${styles.barField}`} />
            </div>
          ))}
        </FieldGrid>
      </div>
    </div>
  )
}
