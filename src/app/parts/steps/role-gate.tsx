import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import { useSession } from '#app/session/use-session.ts'
import { Page } from '#app/ui/layout/page.tsx'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import '#app/parts/actions.css'

interface Props {
  /** the role the screen is for */
  of: Extract<UserTypeCode, 'coach' | 'player'>
  children: ReactNode
}

/** Tells the other role that a screen is not theirs, before anything is requested (SHELL-11). The server checks each call (ROLES-1). */
export function RoleGate({ of, children }: Props) {
  const { userTypeCode } = useSession()
  return userTypeCode === undefined || userTypeCode === of ? children : <WrongRole of={of} />
}

/** Shown in place of the screen, with a link to the dashboard. */
export function WrongRole({ of }: Pick<Props, 'of'>) {
  const { t } = useTranslation('parts')
  const isForCoaches = of === 'coach'
  return (
    <Page title={isForCoaches ? t('ForCoaches') : t('ForPlayers')} intro={isForCoaches ? t('ForCoachesNote') : t('ForPlayersNote')}>
      <div className="actions message">
        <DashboardLink variant="primary" />
      </div>
    </Page>
  )
}
