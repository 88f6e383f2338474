import { useTranslation } from '#app/i18n/use-translation.ts'
import { firstPairBetween, lettersOf, letterLine } from '#contract/rules/result-line.ts'
import type { Results } from '#contract/instances.ts'
import { leadingModes, type Mode } from '#contract/rules/result-picture.ts'
import { POLE_LINES, POLES } from './result-words.ts'
import styles from './results.module.css'

/** Translation keys of the ways of learning within a sentence: French needs another form there than in a list. */
const TOWARDS = {
  experience: 'results:ResultsTowardsExperience',
  watch: 'results:ResultsTowardsWatch',
  idea: 'results:ResultsTowardsIdea',
  do: 'results:ResultsTowardsDo',
} as const satisfies Record<Mode, string>

/** How certain the heading is: one sentence on the letters and one on the learning style. RESULTS-12 */
export function WhatIsClear({ results: { Section1, section2 } }: { results: Results }) {
  const { t, i18n } = useTranslation(['assessment', 'results'])
  const list = (names: string[], type: Intl.ListFormatType = 'conjunction') => new Intl.ListFormat(i18n.language, { type }).format(names)
  const clear = section2.axes.filter(({ letter }) => letter !== null).length
  const modes = list(leadingModes(Section1.axes).map((mode) => t(TOWARDS[mode])))
  const [nearest, other] = Section1.styles
  return (
    <div className={styles.meaning}>
      {Section1.styles.length === 1 && <p>{t('results:ResultsStyleClear', { style: nearest?.result, modes })}</p>}
      {Section1.styles.length === 2 && other?.result && (
        <p>{t('results:ResultsStyleBetween', { style: nearest?.result, other: other.result, modes })}</p>
      )}
      {Section1.styles.length === 2 && !other?.result && <p>{t('results:ResultsStyleBeside', { style: nearest?.result })}</p>}
      {Section1.styles.length > 2 && <p>{t('results:ResultsStyleOpen')}</p>}
      {clear === section2.axes.length ? (
        <p>{t('results:ResultsLettersAllClear')}</p>
      ) : clear === 0 ? (
        <p>{t('results:ResultsLettersNoneClear')}</p>
      ) : (
        <p>{t('results:ResultsLettersSomeClear', { count: clear, pair: firstPairBetween(section2) })}</p>
      )}
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
              .filter(isKnown)
              .map((letter) => (
                <dd key={letter}>{t('results:ResultsPoleLine', { name: t(POLES[letter]), line: t(POLE_LINES[letter]) })}</dd>
              ))}
          </div>
        ))}
      </dl>
    </section>
  )
}

const isKnown = (letter: string): letter is keyof typeof POLES => letter in POLES
