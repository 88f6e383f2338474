import { useState } from 'react'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Avatar } from '#app/parts/person/avatar.tsx'
import type { Profile } from '#contract/users.ts'
import { PhotoDialog } from './photo.dialog.tsx'
import styles from './photo.module.css'

/** A button with the person's photo that opens the photo dialog. PROFILE-34 */
export function ProfilePhoto({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile')
  const [isOpen, setIsOpen] = useState(false)
  const { userId, firstName, lastName, hasProfilePicture } = profile
  return (
    <>
      <div>
        <OnlineOnlyButton variant="quiet" className={styles.photo} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          <Avatar userId={userId} firstName={firstName} lastName={lastName} hasPicture={hasProfilePicture} size="large" />
          <span>{hasProfilePicture ? t('PhotoChange') : t('PhotoAdd')}</span>
        </OnlineOnlyButton>
      </div>
      {isOpen && <PhotoDialog userId={userId} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** Shown until the profile has loaded. */
export function ProfilePhotoSkeleton() {
  return <div className={`skeleton ${styles.waiting}`} />
}
