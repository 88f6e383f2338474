import { useTranslation } from 'react-i18next'
import type { Crumb } from '#app/ui/breadcrumbs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeletons.tsx'
import styles from './parts.module.css'
import { PlayerDetailsForm } from './player-details.form.tsx'
import { useKept } from './use-kept.ts'
import { useProfile } from './use-profile.ts'

interface Props {
  /** why these are asked for now */
  intro: string
  breadcrumbs?: readonly Crumb[]
  onSaved: () => void
}

/** The player's details as a step on the way to something: to paying, to the brief, to Submit. §2 */
export function ConfirmDetails({ intro, breadcrumbs, onSaved }: Props) {
  const { t } = useTranslation('parts')
  const profile = useProfile()
  // A form must not start from what another device has changed since
  const isCurrent = profile.isFetchedAfterMount || !profile.isFetching
  const known = useKept(isCurrent ? profile.data : undefined)
  return (
    <Page title={t('ConfirmDetailsTitle')} intro={intro} {...(breadcrumbs ? { breadcrumbs } : {})}>
      {known && <PlayerDetailsForm key={known.userId} profile={known} submitLabel={t('SaveAndContinue')} onSaved={onSaved} />}
      {!known && profile.isError && (
        <div role="alert" className={`notice ${styles.notice}`}>
          {t('ErrorLoadingProfile')}
          <Button onClick={() => void profile.refetch()}>{t('TryAgain')}</Button>
        </div>
      )}
      {!known && !profile.isError && <Skeleton bars={[3, 3, 3, 3, 3, 3]} />}
    </Page>
  )
}
