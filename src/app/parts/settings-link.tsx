import type { ReactNode } from 'react'
import { useCall } from '#app/api/use-call.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { PlaceholderLink } from '#app/ui/placeholder-link.tsx'
import { settings } from '#contract/settings.ts'

interface Props {
  to: 'terms' | 'privacy' | 'contact'
  children: ReactNode
  /** until the settings name a target; else a link that says that it leads nowhere */
  otherwise?: ReactNode
}

/** A link that §2 leaves without a target: it leads where the settings of the installation say (ruling 47). */
export function SettingsLink({ to, children, otherwise = <PlaceholderLink>{children}</PlaceholderLink> }: Props) {
  const { t } = useTranslation('parts')
  const href = useCall(settings.get).data?.links[to]
  if (!href) return otherwise
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="out-link">
      {children}
      <span className="visually-hidden"> ({t('OpensInNewTab')})</span>
    </a>
  )
}
