/** /profile: the own details. §2, §5 Player profile form, Coach profile form, §7 Update user */
import { useTranslation } from 'react-i18next'
import { CoachDetailsForm } from '#app/parts/coach-details.form.tsx'
import { PlayerDetailsForm } from '#app/parts/player-details.form.tsx'
import { useProfile } from '#app/parts/use-profile.ts'
import { useSession } from '#app/session/use-session.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeletons.tsx'
import { toast } from '#app/ui/toast.ts'

export default function ProfileScreen() {
  const { t } = useTranslation('profile')
  const { t: part } = useTranslation('parts')
  const { userTypeCode } = useSession()
  const profile = useProfile()
  // A form must not start from what another device has changed since
  const isCurrent = profile.isFetchedAfterMount || !profile.isFetching
  return (
    <Page title={t('ProfileTitle')}>
      {profile.data && isCurrent ? (
        userTypeCode === 'coach' ? (
          <CoachDetailsForm profile={profile.data} onSaved={() => toast(part('CoachProfileSaved'))} />
        ) : (
          <PlayerDetailsForm profile={profile.data} onSaved={() => toast(part('ProfileSaved'))} />
        )
      ) : profile.isError ? (
        <div className="notice row" role="alert">
          <p>{t('ErrorLoadingProfile')}</p>
          <Button onClick={() => void profile.refetch()}>{t('ProfileTryAgain')}</Button>
        </div>
      ) : (
        <Skeleton bars={[2, ...Array.from({ length: 8 }, () => 3.5)]} />
      )}
    </Page>
  )
}
