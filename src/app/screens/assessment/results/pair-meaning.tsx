import { useTranslation } from '#app/i18n/use-translation.ts'
import type { Results } from '#contract/instances.ts'
import { leadingModes, type Mode } from './result-picture.ts'
import { POLES } from './result-words.ts'
import styles from './results.module.css'

/** Translation keys of the ways of learning within a sentence: French needs another form there than in a list. */
const TOWARDS = {
  experience: 'ResultsTowardsExperience',
  watch: 'ResultsTowardsWatch',
  idea: 'ResultsTowardsIdea',
  do: 'ResultsTowardsDo',
} as const satisfies Record<Mode, string>

/** By the number of axes with a leading mode. If an axis is even, the style beside the named one fits just as well. */
const STYLE_MEANS = ['ResultsStyleMeansEven', 'ResultsStyleMeansHalf', 'ResultsStyleMeans'] as const

/** Explains the type pair in the heading, one sentence for each half. */
export function PairMeaning({ results: { Section1, section2 } }: { results: Results }) {
  const { t, i18n } = useTranslation('assessment')
  const list = (names: string[]) => new Intl.ListFormat(i18n.language).format(names)
  const withinSentence = (label: string) => label.charAt(0).toLocaleLowerCase(i18n.language) + label.slice(1)
  const modes = leadingModes(Section1.axes).map((mode) => t(TOWARDS[mode]))
  const poles = section2.label
    .split('')
    .map((letter) =>
      letter in POLES ? t('ResultsLetter', { name: withinSentence(t(POLES[letter as keyof typeof POLES])), letter }) : letter,
    )
  return (
    <div className={styles.meaning}>
      {Section1.result && (
        <p>
          <strong>{Section1.result}</strong> {t(STYLE_MEANS[modes.length] ?? 'ResultsStyleMeans', { modes: list(modes) })}
        </p>
      )}
      {section2.label && (
        <p>
          <strong>{section2.label}</strong> {t('ResultsTypeMeans', { poles: list(poles) })}
        </p>
      )}
    </div>
  )
}
