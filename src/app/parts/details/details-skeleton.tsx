import { useTranslation } from '#app/i18n/use-translation.ts'
import { FieldGrid } from './field-grid.tsx'
import styles from '#app/parts/parts.module.css'

const FIELDS = 8

/** Skeleton of a details form, laid out like its personal fields. */
export function DetailsSkeleton() {
  const { t } = useTranslation('ui')
  return (
    <div role="status" aria-busy="true" className={`${styles.part} ${styles.loading}`}>
      <span className="visually-hidden">{t('Loading')}</span>
      <div className={`skeleton ${styles.barHeading}`} />
      <div className={styles.sheet}>
        <FieldGrid>
          {Array.from({ length: FIELDS }, (_, at) => (
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
