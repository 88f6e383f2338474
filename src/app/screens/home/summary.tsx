import { useTranslation } from 'react-i18next'
import { formatCount } from '#app/i18n/figures.ts'
import styles from './home.module.css'

export interface Figure {
  name: string
  /** undefined: not known */
  count: number | undefined
  /** amber: something waits */
  isWaiting?: boolean
}

/** A few figures under the heading. Ruling 32 */
export function Summary({ figures }: { figures: readonly Figure[] }) {
  const { t } = useTranslation('home')
  return (
    <section aria-label={t('SummaryTitle')}>
      <dl className={styles.summary}>
        {figures.map(({ name, count, isWaiting }) => (
          <div key={name} className={isWaiting ? styles.figureWaiting : styles.figure}>
            <dt>{name}</dt>
            <dd>{count === undefined ? '–' : formatCount(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
