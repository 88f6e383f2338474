import { useTranslation } from '#app/i18n/use-translation.ts'
import type { CoachReport, Situation } from '#contract/instances.coach.ts'
import styles from './report.module.css'

type Situations = CoachReport['advice']['situations']

const HEADINGS = {
  feedback: 'CoachReportFeedback',
  exercise: 'CoachReportExercise',
  beforeMatch: 'CoachReportBeforeMatch',
  afterMatch: 'CoachReportAfterMatch',
  mistake: 'CoachReportMistake',
} as const satisfies Record<Situation, string>

const isKnown = (situation: string): situation is Situation => situation in HEADINGS

/** What a coach could try in five situations, each line with the letter or style it follows from. TEAM-21 */
export function Advice({ situations }: { situations: Situations }) {
  const { t } = useTranslation('team')
  const known = situations.flatMap(({ situation, lines }) => (isKnown(situation) ? { situation, lines } : []))
  const withLines = known.filter(({ lines }) => lines.length > 0)
  const without = known.filter(({ lines }) => lines.length === 0).map(({ situation }) => t(HEADINGS[situation]))
  if (withLines.length === 0) return <p className={`notice ${styles.text}`}>{t('CoachReportNothingClear')}</p>
  return (
    <section className={styles.section} aria-labelledby="advice">
      <h2 id="advice">{t('CoachReportAdviceTitle')}</h2>
      <p className={`soft ${styles.text}`}>
        {t('CoachReportAdviceText')} {situations.some(({ lines }) => lines.length > 1) && t('CoachReportAdviceApart')}
      </p>
      <div className={styles.situations}>
        {withLines.map(({ situation, lines }) => (
          <section key={situation} className={styles.situation} aria-labelledby={situation}>
            <h3 id={situation}>{t(HEADINGS[situation])}</h3>
            <ul>
              {lines.map(({ source, text }) => (
                <li key={source}>
                  <b className={styles.source}>{source}</b>
                  <span className="visually-hidden">:</span> {text}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {without.length > 0 && <p className={`soft ${styles.text}`}>{t('CoachReportNoLine', { situations: without.join(' · ') })}</p>}
    </section>
  )
}

export function Questions({ questions }: { questions: readonly string[] }) {
  const { t } = useTranslation('team')
  return (
    <section className={styles.section} aria-labelledby="questions">
      <h2 id="questions">{t('CoachReportQuestionsTitle')}</h2>
      <ol className={styles.text}>
        {questions.map((question) => (
          <li key={question}>{question}</li>
        ))}
      </ol>
    </section>
  )
}
