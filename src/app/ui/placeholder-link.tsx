import type { ReactNode } from 'react'

/** A link that §2 names without a target: it is there, and says that it leads nowhere yet. */
export function PlaceholderLink({ children }: { children: ReactNode }) {
  return (
    <span role="link" aria-disabled="true" className="placeholder-link">
      {children}
    </span>
  )
}
