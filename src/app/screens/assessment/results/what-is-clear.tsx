import { useTranslation } from '#app/i18n/use-translation.ts'
import { firstPairBetween, lettersOf, letterLine } from '#contract/rules/result-line.ts'
import type { Results } from '#contract/instances.ts'
import {
  countClear,
  isPole,
  lettersSentenceKey,
  POLE_KEYS,
  POLE_LINE_KEYS,
  styleSentenceKey,
  TOWARDS_KEYS,
} from '#contract/rules/result-keys.ts'
import { leadingModes } from '#contract/rules/result-picture.ts'
import styles from './results.module.css'

/** How certain the heading is: one sentence on the learning style and one on the letters. RESULTS-12 */
export function WhatIsClear({ results: { Section1, section2 } }: { results: Results }) {
  const { t, i18n } = useTranslation(['assessment', 'results'])
  const modes = leadingModes(Section1.axes).map((mode) => t(`results:${TOWARDS_KEYS[mode]}`))
  const [nearest, other] = Section1.styles
  return (
    <div className={styles.meaning}>
      <p>
        {t(`results:${styleSentenceKey(Section1)}`, {
          style: nearest?.result,
          other: other?.result,
          modes: new Intl.ListFormat(i18n.language).format(modes),
        })}
      </p>
      <p>{t(`results:${lettersSentenceKey(section2)}`, { count: countClear(section2), pair: firstPairBetween(section2) })}</p>
    </div>
  )
}

/** Each letter in a line; where neither is clear, both. RESULTS-12 */
export function Letters({ results: { section2 } }: { results: Results }) {
  const { t } = useTranslation(['assessment', 'results'])
  return (
    <section className={styles.section} aria-labelledby="letters">
      <h2 id="letters">{t('results:ResultsLettersTitle')}</h2>
      <dl className={styles.letters}>
        {lettersOf(letterLine(section2)).map((letters) => (
          <div key={letters}>
            <dt>{letters.replace('/', ' / ')}</dt>
            {letters
              .split('/')
              .filter(isPole)
              .map((letter) => (
                <dd key={letter}>
                  {t('results:ResultsPoleLine', { name: t(`results:${POLE_KEYS[letter]}`), line: t(`results:${POLE_LINE_KEYS[letter]}`) })}
                </dd>
              ))}
          </div>
        ))}
      </dl>
    </section>
  )
}
