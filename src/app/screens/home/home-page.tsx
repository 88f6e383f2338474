import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useSession } from '#app/session/use-session.ts'
import { Page } from '#app/ui/layout/page.tsx'

interface Props {
  /** from the profile; until it is read, the name from the sign-in is shown */
  firstName: string | null | undefined
  intro?: ReactNode
  children: ReactNode
}

/** The dashboard's frame and heading, for both roles. HOME-1 */
export function HomePage({ firstName, intro, children }: Props) {
  const { t } = useTranslation('home')
  const { user } = useSession()
  const name = firstName ?? user?.given_name
  return (
    <Page title={t('HomeTitle')} heading={name ? t('HomeHeading', { name }) : t('HomeHeadingNoName')} intro={intro} width="wide">
      {children}
    </Page>
  )
}
