import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { paths } from '#app/paths.ts'
import { useSession } from '#app/session/use-session.ts'
import { Page } from '#app/ui/layout/page.tsx'
import type { UserTypeCode } from '#contract/auth.ts'
import '#app/parts/actions.css'

interface Props {
  /** whose screen it is */
  of: Extract<UserTypeCode, 'coach' | 'player'>
  children: ReactNode
}

/** Says, before anything is requested, that a screen is for the other role, with the way back. SHELL-11; the server checks each call (ROLES-1) */
export function RoleGate({ of, children }: Props) {
  const { userTypeCode } = useSession()
  return userTypeCode === undefined || userTypeCode === of ? children : <NotYours of={of} />
}

/** What stands in place of the screen. */
export function NotYours({ of }: Pick<Props, 'of'>) {
  const { t } = useTranslation('parts')
  const isCoaches = of === 'coach'
  return (
    <Page title={isCoaches ? t('ForCoaches') : t('ForPlayers')} intro={isCoaches ? t('ForCoachesNote') : t('ForPlayersNote')}>
      <div className="actions message">
        <Link href={paths.home()} className="button button-primary">
          {t('ReturnToDashboard')}
        </Link>
      </div>
    </Page>
  )
}
