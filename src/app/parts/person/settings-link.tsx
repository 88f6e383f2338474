import type { ReactNode } from 'react'
import { useSettings } from '#app/api/use-settings.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { PlaceholderLink } from '#app/ui/layout/placeholder-link.tsx'

interface Props {
  to: 'terms' | 'privacy' | 'contact'
  children: ReactNode
  /** shown while the settings have no target; by default a link that says it leads nowhere */
  otherwise?: ReactNode
}

/** A link whose target is in the installation's settings. OPERATE-3 */
export function SettingsLink({ to, children, otherwise = <PlaceholderLink>{children}</PlaceholderLink> }: Props) {
  const { t } = useTranslation()
  const href = useSettings()?.links[to]
  if (!href) return otherwise
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="out-link">
      {children}
      <span className="visually-hidden"> ({t('OpensInNewTab')})</span>
    </a>
  )
}
