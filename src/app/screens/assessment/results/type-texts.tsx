import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ResultText } from '#contract/assessments.ts'
import type { Results } from '#contract/instances.ts'
import styles from './results.module.css'

/** What is written about the learning style and about the personality type, each by itself. RESULTS-4 */
export function TypeTexts({ results: { Section1, section2 }, text }: { results: Results; text: ResultText }) {
  const { t } = useTranslation('assessment')
  return (
    <>
      <TypeText id="style" heading={t('ResultsStyleTitle', { name: Section1.result })} content={text.lsiType.content} />
      <TypeText id="type" heading={t('ResultsTypeTitle', { name: section2.label })} content={text.mbtiType.content} />
    </>
  )
}

function TypeText({ id, heading, content }: { id: string; heading: string; content: string }) {
  if (content === '') return null
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <p>{content}</p>
    </section>
  )
}
