import { useTranslation } from '#app/i18n/use-translation.ts'
import styles from './step-line.module.css'

/** The steps to the first question of an assessment bought by the player or given by a coach. A step done earlier still counts. */
const WAYS = {
  bought: ['StepDetails', 'StepPayment', 'StepStart'],
  given: ['StepDetails', 'StepStart'],
} as const

interface Props {
  way: keyof typeof WAYS
  step: (typeof WAYS)['bought'][number]
}

/** “Step 1 of 3” on the way to the first question, with a segmented line. */
export function StepLine({ way, step }: Props) {
  const { t } = useTranslation('parts')
  const steps: readonly string[] = WAYS[way]
  const number = steps.indexOf(step) + 1
  return (
    <p className={styles.steps}>
      {t('StepOf', { number, total: steps.length, name: t(step) })}
      <span aria-hidden="true" className={styles.line}>
        {steps.map((name, index) => (
          <span key={name} className={index < number ? styles.reached : undefined} />
        ))}
      </span>
    </p>
  )
}
