import { useRef, type ReactNode } from 'react'
import { useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'
import styles from './device.module.css'

export function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const part = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useKeepFocus(part, heading)
  return (
    <section ref={part} className={styles.part} aria-labelledby={id}>
      <h2 ref={heading} id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}
