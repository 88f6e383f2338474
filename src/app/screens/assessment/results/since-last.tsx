import { Link } from 'wouter'
import { formatDate } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'
import type { Results } from '#contract/instances.ts'
import { MODE_KEYS, POLE_KEYS } from '#contract/rules/result-keys.ts'
import { whatDiffers, type Difference } from '#contract/rules/what-changed.ts'
import styles from './results.module.css'
import type { EarlierResult } from './use-earlier-result.ts'

/** What has changed since the last result, if more than chance explains, and which letters are opposite although it does. RESULTS-13 */
export function SinceLast({ results, earlier }: { results: Results; earlier: EarlierResult }) {
  const { t } = useTranslation(['assessment', 'results'])
  const date = formatDate(earlier.completedDate)
  return (
    <section className={styles.section} aria-labelledby="since">
      <h2 id="since">{earlier.isOtherVersion ? t('results:ResultsEarlierTitle') : t('results:ResultsSince', { date })}</h2>
      <p>{earlier.isOtherVersion ? t('results:ResultsSinceOtherVersion') : <Differences results={results} earlier={earlier.results} />}</p>
      <p>
        <Link href={paths.results(earlier.instanceId)} className={styles.reportLink}>
          {t('results:ResultsSinceLink', { date })}
        </Link>
      </p>
    </section>
  )
}

function Differences({ results, earlier }: { results: Results; earlier: Results }) {
  const { t, i18n } = useTranslation(['assessment', 'results'])
  const list = (texts: string[]) => new Intl.ListFormat(i18n.language).format(texts)
  const nameOf = (end: string) => (end in NAMES ? t(`results:${NAMES[end as keyof typeof NAMES]}`) : end)
  const direction = ({ ends, towards }: Difference) =>
    t('results:ResultsSinceDirection', { from: nameOf(ends[0] === towards ? ends[1] : ends[0]), towards: nameOf(towards) })
  // letters as in the heading: E/I
  const axis = ({ ends }: Difference) => (ends[0] in POLE_KEYS ? ends.join('/') : ends.map(nameOf).join(' – '))
  const { changed, turned, isElseReadDifferently } = whatDiffers(earlier, results)
  const elsewhere = changed.length + turned.length > 0 ? 'results:ResultsSinceElse' : 'results:ResultsSinceTurned'
  return [
    changed.length > 0 ? t('results:ResultsSinceChanged', { list: list(changed.map(direction)) }) : t('results:ResultsSinceUnchanged'),
    turned.length > 0 && t('results:ResultsSinceOpposite', { list: list(turned.map(axis)) }),
    isElseReadDifferently && t(elsewhere),
  ]
    .filter(Boolean)
    .join(' ')
}

const NAMES = { ...MODE_KEYS, ...POLE_KEYS } as const
