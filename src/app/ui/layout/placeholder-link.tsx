import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'

/** Looks like a link but has no target yet, and says so. SHELL-18 */
export function PlaceholderLink({ children, describedBy }: { children: ReactNode; describedBy?: string }) {
  const { t } = useTranslation('ui')
  return (
    <span
      role="link"
      aria-disabled="true"
      aria-describedby={describedBy}
      title={describedBy ? undefined : t('NotYet')}
      className="placeholder-link"
    >
      {children}
    </span>
  )
}
