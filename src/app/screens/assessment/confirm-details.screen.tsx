/** /assessment/{assessmentInstanceId}/confirm-details: the player's details before the brief, or before Submit. §2, rulings 27 */
import { useEffect } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { useReaderId } from '#app/api/use-call.ts'
import { onSynced } from '#app/offline/sync-events.ts'
import { paths } from '#app/paths.ts'
import { ConfirmDetails } from '#app/parts/confirm-details.tsx'
import { PlayerDetailsForm } from '#app/parts/player-details.form.tsx'
import { RoleGate } from '#app/parts/role-gate.tsx'
import { finish, isSubmitted } from './finish.ts'

export default function ConfirmDetailsScreen() {
  return (
    <RoleGate of="player">
      <OwnDetails />
    </RoleGate>
  )
}

function OwnDetails() {
  const { t } = useTranslation('parts')
  const { assessmentInstanceId: instanceId } = useParams<{ assessmentInstanceId: string }>()
  const [search] = useSearchParams()
  const [, navigate] = useLocation()
  // Answering may begin offline with an incomplete profile; its fields are asked for before Submit (ruling 27)
  const isBeforeSubmit = search.get('then') === 'submit'
  const userId = useReaderId() ?? ''

  // The questionnaire shows how far Submit is. It goes on without this page too, where the tab died after the saving.
  useEffect(() => {
    if (!isBeforeSubmit) return
    let isOver = false
    const follow = async () => {
      if ((await isSubmitted({ userId, instanceId })) && !isOver) navigate(paths.test(instanceId), { replace: true })
    }
    const stop = onSynced((changed) => {
      if (changed.userId === userId && changed.instanceId === instanceId) void follow()
    })
    return () => {
      isOver = true
      stop()
    }
  }, [isBeforeSubmit, userId, instanceId, navigate])

  function submit() {
    finish({ userId, instanceId }).catch((error: unknown) => {
      // the disk refuses: the answers are where they were, and Submit is there too
      console.error(error)
      navigate(paths.test(instanceId), { replace: true })
    })
  }

  return (
    <ConfirmDetails
      form={PlayerDetailsForm}
      intro={isBeforeSubmit ? t('ConfirmDetailsSubmit') : t('ConfirmDetailsBrief')}
      onSaved={() => {
        if (isBeforeSubmit) submit()
        else navigate(paths.brief(instanceId))
      }}
    />
  )
}
