import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { MARKS, type Mark } from '#contract/rules/paragraph-marks.ts'
import styles from './marks.module.css'
import type { MarksOfResult } from './use-marks.ts'

const WORDS = {
  like: 'results:ResultsMarkLike',
  partly: 'results:ResultsMarkPartly',
  not: 'results:ResultsMarkNot',
} as const satisfies Record<Mark, string>

interface Props {
  marks: MarksOfResult | undefined
  /** as contract/rules/paragraph-marks.ts names it */
  paragraph: string
  /** heading of the paragraph */
  part: string
}

/** Like me, partly, not me: a second tap takes the mark away. RESULTS-19 */
export function ParagraphMark({ marks, paragraph, part }: Props) {
  const { t } = useTranslation(['assessment', 'results'])
  if (!marks) return null
  const given = marks.marks.find((one) => one.paragraph === paragraph)?.mark ?? null
  return (
    <div role="group" aria-label={t('results:ResultsMarkGroup', { part })} className={styles.choices}>
      {MARKS.map((mark) => (
        <Button key={mark} aria-pressed={mark === given} onClick={() => marks.set(paragraph, mark === given ? null : mark)}>
          {t(WORDS[mark])}
        </Button>
      ))}
      {given && <p className={styles.printed}>{t('results:ResultsMarkPrinted', { mark: t(WORDS[given]) })}</p>}
    </div>
  )
}

/** What the marks are for, how many there are, and whether the account has them. */
export function MarksNote({ marks }: { marks: MarksOfResult | undefined }) {
  const { t } = useTranslation(['assessment', 'results'])
  if (!marks) return null
  const hasMarks = marks.marks.some(({ mark }) => mark !== null)
  const count = (mark: Mark) => marks.marks.filter((one) => one.mark === mark).length
  return (
    <section className={`${styles.note} ${hasMarks ? '' : styles.forScreen}`} aria-labelledby="marks">
      <h2 id="marks">{t('results:ResultsMarksTitle')}</h2>
      <p>{t('results:ResultsMarksText')}</p>
      {hasMarks && <p>{t('results:ResultsMarksSum', { like: count('like'), partly: count('partly'), not: count('not') })}</p>}
      <p role="status" className="soft small">
        <MarksState marks={marks} />
      </p>
    </section>
  )
}

function MarksState({ marks: { marks, isWriting, isUnwritten, refusal } }: { marks: MarksOfResult }) {
  const { t } = useTranslation(['assessment', 'results', 'errors'])
  if (isWriting || marks.every(({ mark, isSent }) => mark === null && isSent)) return null
  if (isUnwritten) return t('results:ResultsMarksUnwritten')
  if (refusal !== undefined) return t('results:ResultsMarksRefused', { reason: t(`errors:${refusal}`) })
  return t(marks.every(({ isSent }) => isSent) ? 'results:ResultsMarksSaved' : 'results:ResultsMarksWaiting')
}
