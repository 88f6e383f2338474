import type { ReactNode } from 'react'
import styles from '#app/parts/parts.module.css'

/** Fields in one column, or two where there is room. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return <div className={styles.fields}>{children}</div>
}
