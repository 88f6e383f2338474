import { useTranslation } from '#app/i18n/use-translation.ts'
import { formatCount } from '#app/i18n/figures.ts'
import type { Results } from '#contract/instances.ts'
import { isPole, MODE_KEYS, POLE_KEYS, STRENGTHS } from '#contract/rules/result-keys.ts'
import { MODE_DIRECTIONS, preferenceBars, type PreferenceBar } from '#contract/rules/result-picture.ts'
import styles from './result-tables.module.css'

type Section1 = Results['Section1']

/** The figures of the preference bars. */
export function PreferenceTable({ results, earlier }: { results: Results; earlier?: Results | undefined }) {
  const { t } = useTranslation(['assessment', 'results'])
  return (
    <table className={styles.table}>
      <caption>{t('results:ResultsPreferencesTable')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('results:ResultsColumnPreference')}</th>
          <th scope="col">{t('results:ResultsColumnShare')}</th>
          {earlier && <th scope="col">{t('results:ResultsColumnShareEarlier')}</th>}
          <th scope="col">{t('results:ResultsColumnStrength')}</th>
        </tr>
      </thead>
      <tbody>
        {preferenceBars(results).map((bar) => (
          <Row key={bar.axis} bar={bar} earlier={earlier && (earlier.section2.axes.find(({ axis }) => axis === bar.axis) ?? null)} />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  bar: PreferenceBar
  /** counts of an earlier result; null if it has no such axis, undefined without one */
  earlier: Results['section2']['axes'][number] | null | undefined
}

function Row({ bar, earlier }: RowProps) {
  const { t } = useTranslation(['assessment', 'results'])
  const pole = (letter: string) =>
    isPole(letter) ? t('results:ResultsLetter', { name: t(`results:${POLE_KEYS[letter]}`), letter }) : letter
  return (
    <tr>
      <th scope="row">
        {pole(bar.first)} – {pole(bar.second)}
      </th>
      <td className={styles.figure}>{countsOf(bar)}</td>
      {earlier !== undefined && <td className={styles.figure}>{earlier && countsOf(earlier)}</td>}
      <td>
        {bar.closeCall
          ? t('results:ResultsStrengthClose', { strength: t(`results:${STRENGTHS[bar.strength]}`) })
          : t(`results:${STRENGTHS[bar.strength]}`)}
      </td>
    </tr>
  )
}

const countsOf = ({ firstCount, secondCount }: Pick<PreferenceBar, 'firstCount' | 'secondCount'>) =>
  `${formatCount(firstCount)} – ${formatCount(secondCount)}`

/** The figures of the pitch. */
export function ModeTable({ section, earlier }: { section: Section1; earlier?: Section1 | undefined }) {
  const { t } = useTranslation(['assessment', 'results'])
  return (
    <table className={styles.table}>
      <caption>{t('results:ResultsModesTable')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('results:ResultsColumnMode')}</th>
          <th scope="col">{t('results:ResultsColumnSum')}</th>
          {earlier && <th scope="col">{t('results:ResultsColumnSumEarlier')}</th>}
        </tr>
      </thead>
      <tbody>
        {MODE_DIRECTIONS.map(({ mode }) => (
          <tr key={mode}>
            <th scope="row">{t(`results:${MODE_KEYS[mode]}`)}</th>
            <td className={styles.figure}>{section.modes[mode]}</td>
            {earlier && <td className={styles.figure}>{earlier.modes[mode]}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
