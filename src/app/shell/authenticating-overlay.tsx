import { useTranslation } from '#app/i18n/use-translation.ts'
import { useReachable } from '#app/api/use-network-state.ts'
import { useSession } from '#app/session/use-session.ts'

/** The Authenticating spinner over the content, only while the session is being refreshed online. SHELL-3 */
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
