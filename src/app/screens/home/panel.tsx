import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import styles from './home.module.css'

/** A titled part of the dashboard. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** §8: ErrorLoadingAssessments, and the way on. */
export function LoadError({ onTryAgain }: { onTryAgain: () => void }) {
  const { t } = useTranslation('home')
  return (
    <div className="notice row" role="alert">
      <p>{t('ErrorLoadingAssessments')}</p>
      <Button onClick={onTryAgain}>{t('TryAgain')}</Button>
    </div>
  )
}
