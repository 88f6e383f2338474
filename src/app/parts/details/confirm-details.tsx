import type { ComponentType, ReactNode } from 'react'
import { reasonFor } from '#app/api/message-for.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AsOf } from '#app/parts/assessment/as-of.tsx'
import type { Crumb } from '#app/ui/layout/breadcrumbs.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import type { Profile } from '#contract/users.ts'
import { DetailsSkeleton } from './details-skeleton.tsx'
import styles from '#app/parts/parts.module.css'
import { useProfileForForm } from '#app/parts/person/use-profile.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'

interface Props {
  /** the role's details form */
  form: ComponentType<{ profile: Profile; submitLabel: string; onSaved: (isAll: boolean) => void }>
  /** by default ConfirmDetailsTitle */
  title?: string
  /** why they are needed now */
  intro: string
  breadcrumbs?: readonly Crumb[]
  /** the StepLine, where this is a step on the way to the first question */
  step?: ReactNode
  onSaved: () => void
}

/** The person's details as a step before paying, the brief or Submit. BUY-1, BRIEF-1 */
export function ConfirmDetails({ form: Form, title, intro, breadcrumbs, step, onSaved }: Props) {
  const { t } = useTranslation(['details', 'parts', 'errors'])
  const { profile, known } = useProfileForForm()
  const reason = reasonFor(profile.error)
  const isLeft = useIsGone()
  // nobody is taken away from where they have gone meanwhile, nor from what they are typing
  const goOn = (isAll: boolean) => {
    if (isAll && !isLeft.current) onSaved()
  }
  return (
    <Page
      title={title ?? t('ConfirmDetailsTitle')}
      intro={
        <>
          {step}
          <p>{intro}</p>
          <p>{t('MandatoryFields')}</p>
        </>
      }
      {...(breadcrumbs ? { breadcrumbs } : {})}
    >
      {known && <AsOf at={profile.dataUpdatedAt} isStored={profile.failureReason !== null} />}
      {known && <Form key={known.userId} profile={known} submitLabel={t('SaveAndContinue')} onSaved={goOn} />}
      {!known && profile.isError && (
        <div role="alert" className={`notice ${styles.notice}`}>
          <div>
            <p>{t('ErrorLoadingProfile')}</p>
            {reason && <p>{reason}</p>}
          </div>
          <Button onClick={() => void profile.refetch()}>{t('parts:TryAgain')}</Button>
        </div>
      )}
      {!known && !profile.isError && <DetailsSkeleton />}
    </Page>
  )
}
