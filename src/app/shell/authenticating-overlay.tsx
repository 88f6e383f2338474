import { useTranslation } from '#app/i18n/use-translation.ts'
import { useReachable } from '#app/api/network.ts'
import { useSession } from '#app/session/use-session.ts'

/** The Authenticating spinner (SHELL-3): only while a refresh is really under way online; it lies over the content. */
export function AuthenticatingOverlay() {
  const { t } = useTranslation('shell')
  const { isExpiringSoon, isRefreshing } = useSession()
  const isReachable = useReachable()
  return (
    <div role="status">
      {isExpiringSoon && isRefreshing && isReachable && (
        <div className="authenticating">
          <span className="spinner" />
          {t('Authenticating')}
        </div>
      )}
    </div>
  )
}
