import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ResultText } from '#contract/assessments.ts'
import type { Results } from '#contract/instances.ts'
import { isNextStyle, isNextType } from '#contract/rules/clear-results.ts'
import { styleParagraph, typeParagraph } from '#contract/rules/paragraph-marks.ts'
import { styleTitleKey, typeTitleKey } from '#contract/rules/result-keys.ts'
import { ParagraphMark } from './paragraph-marks.tsx'
import type { MarksOfResult } from './use-marks.ts'
import styles from './results.module.css'

interface Props {
  results: Results
  text: ResultText
  marks: MarksOfResult | undefined
}

/**
 * What is written about the learning style and about the personality type, each with those next to it, which the result lies between, and
 * the others that are possible. RESULTS-4, RESULTS-12
 */
export function TypeTexts({ results: { Section1, section2 }, text, marks }: Props) {
  const { t } = useTranslation(['assessment', 'results'])
  const { styles: otherStyles = [], types: otherTypes = [] } = text.neighbours ?? {}
  return (
    <>
      <TypeText
        id="style"
        heading={t(`results:${styleTitleKey(Section1)}`, { name: Section1.result })}
        content={text.lsiType.content}
        neighbours={otherStyles}
        isNext={isNextStyle}
        own={{ value: Section1.value, name: Section1.result }}
        paragraphOf={styleParagraph}
        marks={marks}
      />
      <TypeText
        id="type"
        heading={t(`results:${typeTitleKey(section2)}`, { name: section2.label })}
        content={text.mbtiType.content}
        neighbours={otherTypes}
        isNext={isNextType}
        own={{ value: section2.value, name: section2.label }}
        paragraphOf={typeParagraph}
        marks={marks}
      />
    </>
  )
}

interface TypeTextProps {
  id: string
  heading: string
  content: string
  own: { value: string; name: string }
  neighbours: readonly { value: string; name: string; content: string }[]
  isNext: (nearest: string, other: string) => boolean
  paragraphOf: (value: string) => string
  marks: MarksOfResult | undefined
}

function TypeText({ id, heading, content, own, neighbours, isNext, paragraphOf, marks }: TypeTextProps) {
  const { t } = useTranslation(['assessment', 'results'])
  if (content === '') return null
  const next = neighbours.filter(({ value }) => isNext(own.value, value))
  const others = neighbours.filter((one) => !next.includes(one))
  const folded = ({ value, name, content: words }: (typeof neighbours)[number]) => (
    <details key={value} className={styles.fold}>
      <summary>{name}</summary>
      <p>{words}</p>
      <ParagraphMark marks={marks} paragraph={paragraphOf(value)} part={name} />
    </details>
  )
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <p>{content}</p>
      <ParagraphMark marks={marks} paragraph={paragraphOf(own.value)} part={own.name} />
      {neighbours.length > 0 && (
        <div className={styles.neighbours}>
          <p>
            {t('results:ResultsNeighbours', { count: next.length })}{' '}
            <span className={styles.toTap}>{t('results:ResultsNeighboursTap')}</span>
          </p>
          {next.map(folded)}
          {others.length > 0 && <p>{t('results:ResultsNeighboursAlso')}</p>}
          {others.map(folded)}
        </div>
      )}
    </section>
  )
}
