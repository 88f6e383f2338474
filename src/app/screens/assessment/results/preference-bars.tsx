import { useTranslation } from '#app/i18n/use-translation.ts'
import { formatCount } from '#app/i18n/figures.ts'
import type { Results } from '#contract/instances.ts'
import { LETTER_CHANGE_ERROR } from '#contract/rules/what-changed.ts'
import styles from './picture.module.css'
import { isPole, POLE_KEYS, STRENGTHS } from '#contract/rules/result-keys.ts'
import { preferenceBars, type PreferenceBar } from '#contract/rules/result-picture.ts'

/** The four preferences: one bar each, filled on the side chosen more often, hatched where neither is clear. RESULTS-5 */
export function PreferenceBars({ results, earlier }: { results: Results; earlier?: Results | undefined }) {
  const { t } = useTranslation(['assessment', 'results'])
  return (
    <section aria-labelledby="preferences" className={styles.column}>
      <h2 id="preferences">{t('results:ResultsPreferencesTitle')}</h2>
      <ul className={styles.bars}>
        {preferenceBars(results).map((bar) => (
          <Bar key={bar.axis} bar={bar} earlier={earlier?.section2.axes.find(({ axis }) => axis === bar.axis)} />
        ))}
      </ul>
      <p className={styles.caption}>
        {t('results:ResultsPreferencesText')} {earlier && t('results:ResultsEarlierMark')}
      </p>
    </section>
  )
}

interface BarProps {
  bar: PreferenceBar
  /** the same axis in an earlier result */
  earlier: Results['section2']['axes'][number] | undefined
}

function Bar({ bar, earlier }: BarProps) {
  const { t } = useTranslation(['assessment', 'results'])
  const isFirstLeading = bar.leading === bar.first
  const count = (chosen: number) => t('results:ResultsCountOf', { chosen: formatCount(chosen), total: formatCount(bar.total) })
  return (
    <li>
      <p className={styles.poles}>
        <Pole letter={bar.first} isClear={bar.letter === bar.first} />
        <Pole letter={bar.second} isClear={bar.letter === bar.second} />
      </p>
      <p className={styles.line} aria-hidden="true">
        <span className={styles.letter} data-clear={bar.letter === bar.first || undefined}>
          {bar.first}
        </span>
        <span className={styles.bar}>
          <span className={styles.track}>
            <span
              className={bar.letter === null ? styles.fillBetween : styles.fill}
              style={{
                insetInlineStart: isFirstLeading ? 0 : `${bar.firstPercent}%`,
                inlineSize: `${isFirstLeading ? bar.firstPercent : 100 - bar.firstPercent}%`,
              }}
            />
            <span className={styles.middle} />
          </span>
          {earlier && <EarlierMark count={earlier.firstCount} total={bar.total} />}
        </span>
        <span className={styles.letter} data-clear={bar.letter === bar.second || undefined}>
          {bar.second}
        </span>
      </p>
      <p className={styles.poles}>
        <span className={styles.count}>{count(bar.firstCount)}</span>
        <span className={styles.strength}>
          {bar.closeCall ? (
            <span className={styles.closeCall}>{t('results:ResultsCloseCall')}</span>
          ) : (
            t(`results:${STRENGTHS[bar.strength]}`)
          )}
        </span>
        <span className={styles.count}>{count(bar.secondCount)}</span>
      </p>
      {earlier && (
        <p className="visually-hidden">
          {t('results:ResultsEarlierCount', { first: formatCount(earlier.firstCount), second: formatCount(earlier.secondCount) })}
        </p>
      )}
    </li>
  )
}

/** Where the bar ended in an earlier result, and on both sides the part within which nothing can be called a change. */
function EarlierMark({ count, total }: { count: number; total: number }) {
  const percent = (choices: number) => `${(Math.min(total, Math.max(0, choices)) * 100) / total}%`
  return (
    <span className={styles.earlier}>
      <span
        className={styles.band}
        style={{ insetInlineStart: percent(count - LETTER_CHANGE_ERROR), insetInlineEnd: percent(total - count - LETTER_CHANGE_ERROR) }}
      />
      <span className={styles.earlierEnd} style={{ insetInlineStart: percent(count) }} />
    </span>
  )
}

/** The letter is drawn at the end of the bar; a screen reader reads it after the name. */
function Pole({ letter, isClear }: { letter: string; isClear: boolean }) {
  const { t } = useTranslation(['assessment', 'results'])
  return (
    <span className={isClear ? styles.clear : undefined}>
      {isPole(letter) ? t(`results:${POLE_KEYS[letter]}`) : letter}
      <span className="visually-hidden"> ({letter})</span>
    </span>
  )
}
