/** /profile: the person's own details. PROFILE-1 to PROFILE-17 */
import { reasonFor } from '#app/api/message-for.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AsOf } from '#app/parts/assessment/as-of.tsx'
import { CoachDetailsForm } from '#app/parts/details/coach-details.form.tsx'
import { DetailsSkeleton } from '#app/parts/details/details-skeleton.tsx'
import { PlayerDetailsForm } from '#app/parts/details/player-details.form.tsx'
import { useProfile, useProfileForForm } from '#app/parts/person/use-profile.ts'
import { useSession } from '#app/session/use-session.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { toast } from '#app/ui/feedback/toast.ts'
import { CloseAccount } from './close-account.tsx'
import { Devices } from './devices.tsx'
import { ProfilePhoto, ProfilePhotoSkeleton } from './profile-photo.tsx'

export default function ProfileScreen() {
  const { t } = useTranslation('profile')
  const { t: part } = useTranslation('details')
  const userId = useReaderId()
  const profile = useProfile()
  return (
    <Page title={t('ProfileTitle')} intro={part('MandatoryFields')}>
      {/* PROFILE-17 */}
      {userId === undefined ? (
        <p className="notice notice-refused" role="alert">
          {part('UserNotAuthenticated')}
        </p>
      ) : (
        <Details />
      )}
      {userId !== undefined && <Devices userId={userId} />}
      {/* not before the person has seen which account it is */}
      {userId !== undefined && profile.data !== undefined && <CloseAccount userId={userId} />}
    </Page>
  )
}

function Details() {
  const { t } = useTranslation(['profile', 'errors'])
  const { t: part } = useTranslation('details')
  const { userTypeCode } = useSession()
  const { profile, known } = useProfileForForm()
  if (known) {
    return (
      <>
        <AsOf at={profile.dataUpdatedAt} isStored={profile.failureReason !== null} />
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
  const reason = reasonFor(profile.error)
  return (
    <div className="notice row" role="alert">
      <div>
        <p>{part('ErrorLoadingProfile')}</p>
        {reason && <p>{reason}</p>}
      </div>
      <Button onClick={() => void profile.refetch()}>{t('ProfileTryAgain')}</Button>
    </div>
  )
}
