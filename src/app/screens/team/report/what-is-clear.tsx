import { useTranslation } from '#app/i18n/use-translation.ts'
import { styleLine } from '#contract/rules/result-line.ts'
import type { ClearResult } from '#contract/instances.coach.ts'
import styles from './report.module.css'

/** Translation keys of a line on each learning style and letter. What is not here, from a later scoring version, has none. */
const STYLE_LINES: Partial<Record<string, string>> = {
  play: 'CoachReportStylePlay',
  view: 'CoachReportStyleView',
  plan: 'CoachReportStylePlan',
  training: 'CoachReportStyleTraining',
}
const LETTER_LINES: Partial<Record<string, string>> = {
  E: 'CoachReportLetterE',
  I: 'CoachReportLetterI',
  S: 'CoachReportLetterS',
  N: 'CoachReportLetterN',
  T: 'CoachReportLetterT',
  F: 'CoachReportLetterF',
  J: 'CoachReportLetterJ',
  P: 'CoachReportLetterP',
}

/** The learning style and each letter in a line; where neither side is clear, both, and that nothing follows from it. TEAM-8 */
export function WhatIsClear({ results: { Section1, section2 } }: { results: ClearResult }) {
  const { t } = useTranslation(['team', 'parts'])
  const { styles: fitting } = Section1
  const between = t('CoachReportBetween')
  return (
    <section className={styles.section} aria-labelledby="clear">
      <h2 id="clear">{t('CoachReportClearTitle')}</h2>
      <dl className={styles.clear}>
        <Row
          name={styleLine(Section1, t('parts:NoClearStyle'))}
          lines={fitting.length > 2 ? [] : fitting.map((style) => STYLE_LINES[style.value])}
          note={fitting.length > 2 ? t('CoachReportNoStyle') : fitting.length === 2 ? between : undefined}
        />
        {section2.axes.map(({ axis, first, second, letter }) => (
          <Row
            key={axis}
            name={letter ?? `${first} / ${second}`}
            lines={(letter === null ? [first, second] : [letter]).map((one) => LETTER_LINES[one])}
            note={letter === null ? between : undefined}
          />
        ))}
      </dl>
    </section>
  )
}

interface RowProps {
  name: string
  lines: readonly (string | undefined)[]
  note: string | undefined
}

function Row({ name, lines, note }: RowProps) {
  const { t } = useTranslation('team')
  return (
    <div>
      <dt>{name}</dt>
      {lines
        .filter((line) => line !== undefined)
        .map((line) => (
          <dd key={line}>{t(line)}</dd>
        ))}
      {note && <dd className="soft">{note}</dd>}
    </div>
  )
}
