import { useTranslation } from '#app/i18n/use-translation.ts'
import styles from './step-line.module.css'

/** The steps to the first question: bought by the player, or given by a coach. A step that is done already still counts. */
const WAYS = {
  bought: ['StepDetails', 'StepPayment', 'StepStart'],
  given: ['StepDetails', 'StepStart'],
} as const

interface Props {
  way: keyof typeof WAYS
  step: (typeof WAYS)['bought'][number]
}

/** The current step on the way to the first question, in words and as a segmented line. */
export function StepLine({ way, step }: Props) {
  const { t } = useTranslation('parts')
  const steps: readonly string[] = WAYS[way]
  const number = steps.indexOf(step) + 1
  return (
    <p className={styles.steps}>
      {t('StepOf', { number, total: steps.length, name: t(step) })}
      <span aria-hidden="true" className={styles.line}>
        {steps.map((name, at) => (
          <span key={name} className={at < number ? styles.reached : undefined} />
        ))}
      </span>
    </p>
  )
}
