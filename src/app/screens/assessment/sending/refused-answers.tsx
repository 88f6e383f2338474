import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { messageFor } from '#app/api/message-for.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import type { StoredInstance } from '#app/device/store/stored.ts'
import { QuestionNames } from '#app/parts/assessment/question-names.tsx'
import { SaveAnswersFile } from '#app/parts/assessment/save-answers-file.tsx'
import { paths } from '#app/paths.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { Button } from '#app/ui/forms/button.tsx'
import type { AnswerRow } from '#app/sync/sync.ts'
import { useLateNavigate } from '#app/ui/browser/use-late-navigate.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { troubleText } from './trouble-text.ts'

interface RefusedAnswersProps {
  instance: StoredInstance
  sections: readonly Section[]
  questionnaire: Questionnaire
  /** every unsent answer, or only those that the server refused individually */
  refused: readonly AnswerRow[]
}

/**
 * Answers that the server refused: shows why, and offers to retry, save as a file or discard. ANSWERS-7
 * If the server refused only some, only these are listed; the others are sent as usual.
 * An assessment that has ended elsewhere never accepts them: instead of a retry there is a link to the results or the dashboard.
 * ANSWERS-14, ASSIGN-21
 */
export function RefusedAnswers({ instance, sections, questionnaire, refused }: RefusedAnswersProps) {
  const { t } = useTranslation(['assessment', 'errors'])
  const navigate = useLateNavigate()
  const [isConfirming, setIsConfirming] = useState(false)
  const [failure, setFailure] = useState<string>()
  const { instanceId, summary, trouble } = instance
  const isPartial = trouble?.edits !== undefined
  const count = refused.length
  const { unavailable, whenReachable } = useOnlineOnly()
  const isCompleted = summary.status === 'COMPLETED'
  const exitPath = isOpen(summary.status) ? undefined : isCompleted ? paths.results(instanceId) : paths.home()

  const discard = async () => {
    setFailure(undefined)
    try {
      await questionnaire.discardUnsent(trouble?.edits, exitPath !== undefined)
      if (exitPath !== undefined) navigate(exitPath)
    } catch (error) {
      setFailure(messageFor(error))
    }
  }
  return (
    <div className="notice notice-wait" role="alert">
      <p>{t(isPartial ? 'TestPartNotSent' : 'TestNotSent', { count, reason: troubleText(t, trouble?.code) })}</p>
      {isPartial && <QuestionNames sections={sections} ids={refused.map(({ questionId }) => questionId)} />}
      <div className="row">
        {exitPath === undefined ? (
          <button type="button" className="button" onClick={() => void questionnaire.retry()}>
            {t('TryAgain')}
          </button>
        ) : (
          <Link href={exitPath} className="button button-primary">
            {t(isCompleted ? 'BriefDoneLink' : 'ReturnToDashboard')}
          </Link>
        )}
        <SaveAnswersFile instance={instance}>{t('TestDownload')}</SaveAnswersFile>
        {isConfirming ? (
          <Button
            variant="danger"
            unavailable={exitPath === undefined ? unavailable : undefined}
            onClick={() => (exitPath === undefined ? whenReachable(() => void discard()) : void discard())}
          >
            {t('TestDiscardConfirm', { count })}
          </Button>
        ) : (
          <button type="button" className="button button-quiet" onClick={() => setIsConfirming(true)}>
            {t('TestDiscard')}
          </button>
        )}
      </div>
      {failure && <p>{t('TestNotDiscarded', { reason: failure })}</p>}
    </div>
  )
}
