import type { ResultType } from '#contract/instances.ts'
import { letterLine, styleLine } from '#contract/rules/result-line.ts'
import styles from './result-line-text.module.css'

/** A result's line as `resultLine` writes it, broken between words alone and never within the letters. */
export function ResultLineText({ results, noClearStyle }: { results: ResultType; noClearStyle: string }) {
  return (
    <>
      {styleLine(results.Section1, noClearStyle)} <span className={styles.letters}>{letterLine(results.section2)}</span>
    </>
  )
}
