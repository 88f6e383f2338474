import { useTranslation } from '#app/i18n/use-translation.ts'
import { FieldGrid } from './field-grid.tsx'
import styles from '#app/parts/parts.module.css'

/** Skeleton of a details form, with as many fields as the personal ones, in the same place. */
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
