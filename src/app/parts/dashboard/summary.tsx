import './dashboard.css'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { formatCount } from '#app/i18n/figures.ts'

interface Figure {
  name: string
  /** undefined until known */
  count: number | undefined
  /** amber: something waits for the person */
  isWaiting?: boolean
}

/** From this length, three fit side by side on a phone only if they are smaller. */
const LONG = 100_000

/** The dashboard's figures. HOME-2, HOME-3 */
export function Summary({ figures }: { figures: readonly Figure[] }) {
  const { t } = useTranslation('home')
  return (
    <section aria-label={t('SummaryTitle')}>
      <dl className={`dashboard-summary ${figures.some(({ count = 0 }) => count >= LONG) ? 'long-figures' : ''}`}>
        {figures.map(({ name, count, isWaiting }) => (
          <div key={name} className={isWaiting ? 'waits' : undefined}>
            <dt>{name}</dt>
            <dd>{count === undefined ? '-' : formatCount(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
