import { useTranslation } from 'react-i18next'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import styles from './home.module.css'

const WORDS = {
  OWNED: 'StatusNotStarted',
  ALLOCATED: 'StatusAllocated',
  IN_PROGRESS: 'StatusInProgress',
  COMPLETED: 'StatusCompleted',
} as const satisfies Partial<Record<InstanceStatus, string>>

/** Success style for completed, warning otherwise; other values as they come. §4 */
export function StatusBadge({ status }: { status: InstanceStatus }) {
  const { t } = useTranslation('home')
  return (
    <span className={status === 'COMPLETED' ? styles.badgeSuccess : styles.badgeWarning}>
      {status in WORDS ? t(WORDS[status as keyof typeof WORDS]) : status}
    </span>
  )
}
