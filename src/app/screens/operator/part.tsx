import { useRef } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'
import type { Ask } from './ask.ts'
import styles from './operator.module.css'
import type { Reading } from './use-reading.ts'

/** What every part of the page is given. */
export interface PartProps {
  ask: Ask
  /** changes when everything is to be read again */
  round: number
}

interface Props {
  id: string
  title: string
  reading: Reading<unknown>
  children: ReactNode
}

/** A part with its heading. While it is read for the first time it says so, and a failure is said in its place. */
export function Part({ id, title, reading: { data, failure }, children }: Props) {
  const { t } = useTranslation('operator')
  const part = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useKeepFocus(part, heading)
  return (
    <section ref={part} className={styles.part} aria-labelledby={id}>
      <h2 ref={heading} id={id} tabIndex={-1}>
        {title}
      </h2>
      {failure !== undefined && <p role="alert">{t('ReadFailed', { reason: failure })}</p>}
      {data === undefined ? failure === undefined && <p role="status">{t('Reading')}</p> : children}
    </section>
  )
}
