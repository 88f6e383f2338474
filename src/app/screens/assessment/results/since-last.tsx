import { Link } from 'wouter'
import { formatDate } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'
import type { Results } from '#contract/instances.ts'
import { resultLine } from '#contract/rules/result-line.ts'
import { whatChanged } from '#contract/rules/what-changed.ts'
import { AXIS_NAMES, POLES } from './result-words.ts'
import styles from './results.module.css'
import type { EarlierResult } from './use-earlier-result.ts'

/** What has changed since the last result, if more than chance explains. RESULTS-13 */
export function SinceLast({ results, earlier }: { results: Results; earlier: EarlierResult }) {
  const { t, i18n } = useTranslation(['assessment', 'results'])
  const date = formatDate(earlier.completedDate)
  const names = changedAxes(earlier, results).map((pair) => pair.map((key) => t(key)).join(' – '))
  const list = new Intl.ListFormat(i18n.language).format(names)
  return (
    <section className={styles.section} aria-labelledby="since">
      <h2 id="since">{t('results:ResultsSince', { date })}</h2>
      <p>
        {earlier.isOtherVersion
          ? t('results:ResultsSinceOtherVersion')
          : names.length > 0
            ? t('results:ResultsSinceChanged', { list })
            : t('results:ResultsSinceUnchanged')}{' '}
        {!earlier.isOtherVersion && names.length === 0 && isReadDifferently(earlier.results, results) && t('results:ResultsSinceTurned')}
      </p>
      <p>
        <Link href={paths.results(earlier.instanceId)} className={styles.reportLink}>
          {t('results:ResultsSinceLink', { date })}
        </Link>
      </p>
    </section>
  )
}

/** Whether what stands reads differently although nothing changed by more than chance. */
function isReadDifferently(earlier: Results, later: Results): boolean {
  return resultLine(earlier, '') !== resultLine(later, '')
}

/** Translation keys of both ends of each axis that changed. */
function changedAxes(earlier: EarlierResult, results: Results) {
  const changed = whatChanged(earlier.results, results)
  const letters = results.section2.axes.filter(({ axis }) => changed.letters.includes(axis))
  return [
    ...changed.styles.map((axis) => AXIS_NAMES[axis]),
    ...letters.map(({ first, second }) =>
      [first, second].flatMap((letter) => (letter in POLES ? POLES[letter as keyof typeof POLES] : [])),
    ),
  ]
}
