import { useRef, type ReactNode } from 'react'
import { useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'
import styles from './part.module.css'

/** The parts of a long screen, one below the other. */
export function Parts({ children }: { children: ReactNode }) {
  return <div className={styles.parts}>{children}</div>
}

/** A part with its heading, which takes the focus when what had it disappears from the part. */
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
