import { useTranslation } from '#app/i18n/use-translation.ts'
import type { Results } from '#contract/instances.ts'
import { POLES } from './preference-bars.tsx'
import { leadingModes, type Mode } from './result-picture.ts'
import styles from './results.module.css'

/** A way of learning within a sentence: French says how one learns, not what one leans to. */
const TOWARDS = {
  experience: 'ResultsTowardsExperience',
  watch: 'ResultsTowardsWatch',
  idea: 'ResultsTowardsIdea',
  do: 'ResultsTowardsDo',
} as const satisfies Record<Mode, string>

/** By how many of the two axes lean anywhere: where one is even, the name stands for a style that fits no better than another. */
const STYLE_MEANS = ['ResultsStyleMeansEven', 'ResultsStyleMeansHalf', 'ResultsStyleMeans'] as const

/** What the heading says, one sentence for each half of the pair. */
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
