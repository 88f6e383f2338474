import type { ReactNode } from 'react'

/** A link that §2 names and gives no target. */
export function PlaceholderLink({ children, onFollow }: { children?: ReactNode; onFollow?: () => void }) {
  return (
    <a
      href="#"
      className="auth-link"
      onClick={(event) => {
        event.preventDefault()
        onFollow?.()
      }}
    >
      {children}
    </a>
  )
}
