/** /assessment/{assessmentInstanceId}/confirm-details: the player's details before the brief, or before Submit. §2, rulings 27 */
import { useTranslation } from 'react-i18next'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { paths } from '#app/paths.ts'
import { ConfirmDetails } from '#app/parts/confirm-details.tsx'

export default function ConfirmDetailsScreen() {
  const { t } = useTranslation('parts')
  const { assessmentInstanceId } = useParams<{ assessmentInstanceId: string }>()
  const [search] = useSearchParams()
  const [, navigate] = useLocation()
  // Answering may begin offline with an incomplete profile; its fields are asked for before Submit (ruling 27)
  const isBeforeSubmit = search.get('then') === 'submit'

  return (
    <ConfirmDetails
      intro={isBeforeSubmit ? t('ConfirmDetailsSubmit') : t('ConfirmDetailsBrief')}
      onSaved={() => {
        navigate(isBeforeSubmit ? paths.test(assessmentInstanceId) : paths.brief(assessmentInstanceId))
      }}
    />
  )
}
