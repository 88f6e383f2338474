import { useTranslation } from '#app/i18n/use-translation.ts'
import { formatCount } from '#app/i18n/figures.ts'
import type { Results } from '#contract/instances.ts'
import { MODE_DIRECTIONS, preferenceBars, type PreferenceBar } from '#contract/rules/result-picture.ts'
import styles from './result-tables.module.css'
import { MODES, POLES, STRENGTHS } from './result-words.ts'

/** The figures of the preference bars. */
export function PreferenceTable({ results }: { results: Results }) {
  const { t } = useTranslation(['assessment', 'results'])
  return (
    <table className={styles.table}>
      <caption>{t('results:ResultsPreferencesTable')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('results:ResultsColumnPreference')}</th>
          <th scope="col">{t('results:ResultsColumnShare')}</th>
          <th scope="col">{t('results:ResultsColumnStrength')}</th>
        </tr>
      </thead>
      <tbody>
        {preferenceBars(results).map((bar) => (
          <Row key={bar.axis} bar={bar} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ bar }: { bar: PreferenceBar }) {
  const { t } = useTranslation(['assessment', 'results'])
  const pole = (letter: string) =>
    letter in POLES ? t('results:ResultsLetter', { name: t(POLES[letter as keyof typeof POLES]), letter }) : letter
  return (
    <tr>
      <th scope="row">
        {pole(bar.first)} – {pole(bar.second)}
      </th>
      <td>
        {formatCount(bar.firstCount)} – {formatCount(bar.secondCount)}
      </td>
      <td>{bar.closeCall ? t('results:ResultsStrengthClose', { strength: t(STRENGTHS[bar.strength]) }) : t(STRENGTHS[bar.strength])}</td>
    </tr>
  )
}

/** The figures of the pitch. */
export function ModeTable({ section }: { section: Results['Section1'] }) {
  const { t } = useTranslation(['assessment', 'results'])
  return (
    <table className={styles.table}>
      <caption>{t('results:ResultsModesTable')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('results:ResultsColumnMode')}</th>
          <th scope="col">{t('results:ResultsColumnSum')}</th>
        </tr>
      </thead>
      <tbody>
        {MODE_DIRECTIONS.map(({ mode }) => (
          <tr key={mode}>
            <th scope="row">{t(MODES[mode])}</th>
            <td>{section.modes[mode]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
