/** /profile: the own details. §2, §5 Player profile form, Coach profile form, §7 Update user */
import { useReaderId } from '#app/api/use-call.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { CoachDetailsForm } from '#app/parts/coach-details.form.tsx'
import { DetailsSkeleton } from '#app/parts/details-skeleton.tsx'
import { PlayerDetailsForm } from '#app/parts/player-details.form.tsx'
import { useKept } from '#app/parts/use-kept.ts'
import { useProfile } from '#app/parts/use-profile.ts'
import { useSession } from '#app/session/use-session.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { toast } from '#app/ui/toast.ts'
import { CloseAccount } from './close-account.tsx'
import { Devices } from './devices.tsx'
import { ProfilePhoto, ProfilePhotoSkeleton } from './profile-photo.tsx'

export default function ProfileScreen() {
  const { t } = useTranslation('profile')
  const { t: part } = useTranslation('parts')
  const userId = useReaderId()
  return (
    <Page title={t('ProfileTitle')} intro={part('MandatoryFields')}>
      {/* §6: without a user id there is nobody whose details these could be */}
      {userId === undefined ? (
        <p className="notice notice-refused" role="alert">
          {part('UserNotAuthenticated')}
        </p>
      ) : (
        <Details />
      )}
      {userId !== undefined && (
        <>
          <Devices userId={userId} />
          <CloseAccount userId={userId} />
        </>
      )}
    </Page>
  )
}

function Details() {
  const { t } = useTranslation('profile')
  const { t: part } = useTranslation('parts')
  const { userTypeCode } = useSession()
  const profile = useProfile()
  // A form must not start from what another device has changed since
  const isCurrent = profile.isFetchedAfterMount || !profile.isFetching
  const known = useKept(isCurrent ? profile.data : undefined)
  if (known) {
    return (
      <>
        <ProfilePhoto profile={known} />
        {userTypeCode === 'coach' ? (
          <CoachDetailsForm profile={known} onSaved={() => toast(part('CoachProfileSaved'))} />
        ) : (
          <PlayerDetailsForm profile={known} onSaved={() => toast(part('ProfileSaved'))} />
        )}
      </>
    )
  }
  if (!profile.isError) {
    return (
      <>
        <ProfilePhotoSkeleton />
        <DetailsSkeleton />
      </>
    )
  }
  return (
    <div className="notice row" role="alert">
      <p>{t('ErrorLoadingProfile')}</p>
      <Button onClick={() => void profile.refetch()}>{t('ProfileTryAgain')}</Button>
    </div>
  )
}
