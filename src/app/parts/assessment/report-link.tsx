import type { ReactNode } from 'react'
import { mediaUrl } from '#app/api/base-url.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'

interface Props {
  file: string
  /** the player or assessment the report is about, for screen readers that list links out of context */
  about?: string
  className?: string | undefined
  children: ReactNode
}

/** A link to a sample report (RESULTS-1, TEAM-7). Offline the new tab would show the browser's error page. */
export function ReportLink({ file, about, className = '', children }: Props) {
  const { t } = useTranslation()
  const { unavailable, whenReachable } = useOnlineOnly()
  const href = `${mediaUrl}sample/${encodeURIComponent(file)}`
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={`out-link ${className}`}
      aria-disabled={unavailable !== undefined || undefined}
      title={unavailable}
      onClick={(event) => {
        if (unavailable === undefined) return
        event.preventDefault()
        whenReachable(() => window.open(href, '_blank', 'noopener,noreferrer'))
      }}
    >
      {children}
      <span className="visually-hidden">
        {about && ` ${about}`} ({t('OpensInNewTab')})
      </span>
    </a>
  )
}
