import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ResultText } from '#contract/assessments.ts'
import type { Results } from '#contract/instances.ts'
import styles from './results.module.css'

interface Props {
  results: Results
  text: ResultText
}

/** What is written about the learning style and about the personality type, each with the neighbours that fit as well. RESULTS-4 */
export function TypeTexts({ results: { Section1, section2 }, text }: Props) {
  const { t } = useTranslation(['assessment', 'results'])
  const isTypeStanding = section2.axes.every(({ letter }) => letter !== null)
  const { styles: otherStyles = [], types: otherTypes = [] } = text.neighbours ?? {}
  return (
    <>
      <TypeText
        id="style"
        heading={t(Section1.styles.length > 1 ? 'results:ResultsStyleNearest' : 'results:ResultsStyleTitle', { name: Section1.result })}
        content={text.lsiType.content}
        neighbours={otherStyles}
      />
      <TypeText
        id="type"
        heading={t(isTypeStanding ? 'results:ResultsTypeTitle' : 'results:ResultsTypeNearest', { name: section2.label })}
        content={text.mbtiType.content}
        neighbours={otherTypes}
      />
    </>
  )
}

interface TypeTextProps {
  id: string
  heading: string
  content: string
  neighbours: readonly { value: string; name: string; content: string }[]
}

function TypeText({ id, heading, content, neighbours }: TypeTextProps) {
  const { t } = useTranslation(['assessment', 'results'])
  if (content === '') return null
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <p>{content}</p>
      {neighbours.length > 0 && (
        <div className={styles.neighbours}>
          <p>
            {t('results:ResultsNeighbours')} <span className={styles.toTap}>{t('results:ResultsNeighboursTap')}</span>
          </p>
          {neighbours.map(({ value, name, content: words }) => (
            <details key={value} className={styles.fold}>
              <summary>{name}</summary>
              <p>{words}</p>
            </details>
          ))}
        </div>
      )}
    </section>
  )
}
