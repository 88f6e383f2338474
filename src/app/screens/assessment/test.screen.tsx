/** /assessment/{assessmentInstanceId}/test: the questionnaire. QUESTIONS-1 to QUESTIONS-19 */
import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Redirect, useParams } from 'wouter'
import { currentLanguage } from '#app/i18n/current-language.ts'
import type { ReadyInstance } from '#app/device/store/stored.ts'
import { paths } from '#app/paths.ts'
import { session } from '#app/session/session.ts'
import { useSession } from '#app/session/use-session.ts'
import { useDocumentTitle } from '#app/ui/layout/page.tsx'
import { isOpen } from '#contract/rules/statuses.ts'
import { FinishedOnDevice } from './sending/finished-on-device.tsx'
import { Questions } from './questions/questions.tsx'
import { TestProblem } from './questions/test-problem.tsx'
import { questionnaireOf, type Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { useQuestionnaire } from '#app/questionnaire/use-questionnaire.ts'
import './questions/questions.css'

/** Loads the questionnaire from the device or the server before the screen is drawn. */
export async function prepare({ assessmentInstanceId: instanceId }: Record<string, string | undefined>): Promise<void> {
  const { user, userTypeCode } = session.get()
  const userId = userTypeCode === 'coach' ? undefined : user?.id
  if (userId !== undefined && instanceId !== undefined) await questionnaireOf({ userId, instanceId }, currentLanguage()).loadedFromDevice
}

export default function TestScreen() {
  const { i18n } = useTranslation('assessment')
  const { assessmentInstanceId: instanceId } = useParams<{ assessmentInstanceId: string }>()
  const { user, userTypeCode } = useSession()
  const isCoach = userTypeCode === 'coach'
  const shown = useQuestionnaire(isCoach ? undefined : user?.id, instanceId, i18n.language)
  // the brief tells a coach that this is for players; loading that text here would delay the first question
  if (isCoach) return <Redirect to={paths.brief(instanceId)} replace />

  switch (shown.state) {
    case 'loading':
      return <TestSkeleton />
    case 'ready':
      return <Test key={instanceId} {...shown} />
    default:
      return <TestProblem problem={shown.state} />
  }
}

function TestSkeleton() {
  const { t } = useTranslation('assessment')
  useDocumentTitle(t('TestTitle'))
  return (
    <div className="page" aria-busy="true">
      <p className="visually-hidden" role="status">
        {t('TestLoading')}
      </p>
      <div className="skeleton test-skeleton" />
      <div className="skeleton test-skeleton" />
    </div>
  )
}

function Test({ ready, questionnaire }: { ready: ReadyInstance; questionnaire: Questionnaire }) {
  const { instance, sections } = ready
  const { instanceId, summary, trouble, finish } = instance
  const [isBackFromDetails] = useState(finish === 'details')
  useSendOnLeave(questionnaire)

  const isEnded = !isOpen(summary.status)
  // unsent answers are shown until the player decides what to do with them (ANSWERS-7)
  if (isEnded && !trouble)
    return summary.status === 'COMPLETED' ? <Redirect to={paths.results(instanceId)} replace /> : <TestProblem problem="reclaimed" />
  if (!isEnded && finish && finish !== 'details') return <FinishedOnDevice instance={instance} questionnaire={questionnaire} />
  return <Questions instance={instance} sections={sections} questionnaire={questionnaire} isBackFromDetails={isBackFromDetails} />
}

/** Sends the answers on leaving by Back or by a link too, as Save and exit does. */
function useSendOnLeave(questionnaire: Questionnaire): void {
  useEffect(() => () => void questionnaire.send(), [questionnaire])
}
