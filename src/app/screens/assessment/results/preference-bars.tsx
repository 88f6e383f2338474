import { useTranslation } from '#app/i18n/use-translation.ts'
import { formatPercent } from '#app/i18n/figures.ts'
import type { Results } from '#contract/instances.ts'
import styles from './picture.module.css'
import { preferenceBars, type PreferenceBar } from './result-picture.ts'
import { POLES, STRENGTHS } from './result-words.ts'

/** The four preferences: one bar each, filled on the side chosen more often. RESULTS-5 */
export function PreferenceBars({ results }: { results: Results }) {
  const { t } = useTranslation('assessment')
  return (
    <section aria-labelledby="preferences" className={styles.column}>
      <h2 id="preferences">{t('ResultsPreferencesTitle')}</h2>
      <ul className={styles.bars}>
        {preferenceBars(results).map((bar) => (
          <Bar key={bar.axis} bar={bar} />
        ))}
      </ul>
      <p className={styles.caption}>{t('ResultsPreferencesText')}</p>
    </section>
  )
}

function Bar({ bar }: { bar: PreferenceBar }) {
  const { t } = useTranslation('assessment')
  const isFirstLeading = bar.leading === bar.first
  return (
    <li>
      <p className={styles.poles}>
        <Pole letter={bar.first} isLeading={isFirstLeading} />
        <Pole letter={bar.second} isLeading={bar.leading === bar.second} />
      </p>
      <p className={styles.line} aria-hidden="true">
        <span className={styles.letter} data-leads={isFirstLeading || undefined}>
          {bar.first}
        </span>
        <span className={styles.track}>
          <span
            className={bar.isCloseCall ? styles.fillClose : styles.fill}
            style={{
              insetInlineStart: isFirstLeading ? 0 : `${bar.firstPercent}%`,
              inlineSize: `${isFirstLeading ? bar.firstPercent : bar.secondPercent}%`,
            }}
          />
          <span className={styles.middle} />
        </span>
        <span className={styles.letter} data-leads={bar.leading === bar.second || undefined}>
          {bar.second}
        </span>
      </p>
      <p className={styles.poles}>
        <span className={styles.percent}>{formatPercent(bar.firstPercent)}</span>
        <span className={styles.strength}>
          {t(STRENGTHS[bar.strength])} {bar.isCloseCall && <span className={styles.closeCall}>{t('ResultsCloseCall')}</span>}
        </span>
        <span className={styles.percent}>{formatPercent(bar.secondPercent)}</span>
      </p>
    </li>
  )
}

/** The letter is drawn at the end of the bar; a screen reader reads it after the name. */
function Pole({ letter, isLeading }: { letter: string; isLeading: boolean }) {
  const { t } = useTranslation('assessment')
  return (
    <span className={isLeading ? styles.leading : undefined}>
      {letter in POLES ? t(POLES[letter as keyof typeof POLES]) : letter}
      <span className="visually-hidden"> ({letter})</span>
    </span>
  )
}
