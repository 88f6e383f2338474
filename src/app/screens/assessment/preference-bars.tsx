import { useTranslation } from 'react-i18next'
import { formatPercent } from '#app/i18n/figures.ts'
import type { Results } from '#contract/instances.ts'
import { preferenceBars, type PreferenceBar } from './result-picture.ts'
import styles from './results.module.css'

/** The four preferences: one bar each, longer on the side chosen more often, and the same in a table. §2, conventions §2.4 */
export function PreferenceBars({ results }: { results: Results }) {
  const { t } = useTranslation('assessment')
  const bars = preferenceBars(results)
  return (
    <section aria-labelledby="preferences" className={styles.section}>
      <h2 id="preferences">{t('ResultsPreferencesTitle')}</h2>
      <p>{t('ResultsPreferencesText')}</p>
      <ul className={styles.bars} aria-hidden="true">
        {bars.map((bar) => (
          <Bar key={bar.axis} bar={bar} />
        ))}
      </ul>
      <table className={styles.table}>
        <caption>{t('ResultsPreferencesTable')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('ResultsColumnPreference')}</th>
            <th scope="col">{t('ResultsColumnShare')}</th>
            <th scope="col">{t('ResultsColumnStrength')}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <Row key={bar.axis} bar={bar} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Bar({ bar }: { bar: PreferenceBar }) {
  const { t } = useTranslation('assessment')
  const pole = usePole()
  const leadsFirst = bar.leading === bar.first
  return (
    <li className={styles.bar}>
      <span className={leadsFirst ? styles.leading : undefined}>{pole(bar.first)}</span>
      <span className={styles.strength}>{bar.isCloseCall ? t('ResultsCloseCall') : t(STRENGTHS[bar.strength])}</span>
      <span className={bar.leading === bar.second ? styles.leading : undefined}>{pole(bar.second)}</span>
      <span className={styles.percent}>{formatPercent(bar.firstPercent)}</span>
      <span className={styles.track}>
        <span
          className={bar.isCloseCall ? styles.fillClose : styles.fill}
          style={{
            insetInlineStart: leadsFirst ? 0 : `${bar.firstPercent}%`,
            inlineSize: `${leadsFirst ? bar.firstPercent : bar.secondPercent}%`,
          }}
        />
        <span className={styles.middle} />
      </span>
      <span className={styles.percent}>{formatPercent(bar.secondPercent)}</span>
    </li>
  )
}

function Row({ bar }: { bar: PreferenceBar }) {
  const { t } = useTranslation('assessment')
  const pole = usePole()
  return (
    <tr>
      <th scope="row">
        {pole(bar.first)} – {pole(bar.second)}
      </th>
      <td>
        {formatPercent(bar.firstPercent)} – {formatPercent(bar.secondPercent)}
      </td>
      <td>
        {t(STRENGTHS[bar.strength])}
        {bar.isCloseCall && <span className={styles.closeCall}>{t('ResultsCloseCall')}</span>}
      </td>
    </tr>
  )
}

const STRENGTHS = { slight: 'ResultsStrengthSlight', clear: 'ResultsStrengthClear', strong: 'ResultsStrengthStrong' } as const

const POLES = {
  E: 'ResultsPoleE',
  I: 'ResultsPoleI',
  S: 'ResultsPoleS',
  N: 'ResultsPoleN',
  T: 'ResultsPoleT',
  F: 'ResultsPoleF',
  J: 'ResultsPoleJ',
  P: 'ResultsPoleP',
} as const

/** Letter → "Outward (E)"; a letter that a later scoring brings shows as it is. */
function usePole(): (letter: string) => string {
  const { t } = useTranslation('assessment')
  return (letter) => (letter in POLES ? t('ResultsLetter', { name: t(POLES[letter as keyof typeof POLES]), letter }) : letter)
}
