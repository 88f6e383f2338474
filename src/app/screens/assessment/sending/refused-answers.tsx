import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link, useLocation } from 'wouter'
import { messageFor } from '#app/api/message-for.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import type { StoredInstance } from '#app/device/store/stored.ts'
import { paths } from '#app/paths.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { errorToast } from '#app/ui/feedback/toast.ts'
import type { AnswerRow } from '#app/sync/sync.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { troubleWords } from './trouble-words.ts'

interface RefusedAnswersProps {
  instance: StoredInstance
  sections: readonly Section[]
  questionnaire: Questionnaire
  /** every unsent answer, or only those that the server refuses by themselves */
  refused: readonly AnswerRow[]
}

/**
 * A refusal parks the answers: shown with the reason, to retry, save as a file or discard. ANSWERS-7
 * If the server refuses only some, these are listed and dealt with separately; the others are sent meanwhile.
 * An assessment that has ended elsewhere never accepts them: the way on is to the results or the dashboard. ANSWERS-14, ASSIGN-21
 */
export function RefusedAnswers({ instance, sections, questionnaire, refused }: RefusedAnswersProps) {
  const { t } = useTranslation(['assessment', 'errors'])
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const { instanceId, summary, trouble } = instance
  const isPartial = trouble?.edits !== undefined
  const count = refused.length
  const { unavailable, whenReachable } = useOnlineOnly()
  const isCompleted = summary.status === 'COMPLETED'
  const wayOn = isOpen(summary.status) ? undefined : isCompleted ? paths.results(instanceId) : paths.home()

  const discard = async () => {
    try {
      await questionnaire.discardUnsent(trouble?.edits, wayOn !== undefined)
      if (wayOn !== undefined) navigate(wayOn)
    } catch (error) {
      errorToast(messageFor(error))
    }
  }
  return (
    <div className="notice notice-wait" role="alert">
      <p>{t(isPartial ? 'TestPartNotSent' : 'TestNotSent', { count, reason: troubleWords(t, trouble?.code) })}</p>
      {isPartial && <RefusedQuestions sections={sections} refused={refused} />}
      <div className="row">
        {wayOn === undefined ? (
          <button type="button" className="button" onClick={() => void questionnaire.retry()}>
            {t('TryAgain')}
          </button>
        ) : (
          <Link href={wayOn} className="button button-primary">
            {t(isCompleted ? 'BriefDoneLink' : 'ReturnToDashboard')}
          </Link>
        )}
        <button type="button" className="button" onClick={() => void questionnaire.saveFile(trouble?.edits)}>
          {isPartial ? t('TestDownloadPart', { count }) : t('TestDownload')}
        </button>
        {isAsking ? (
          <Button
            look="danger"
            unavailable={wayOn === undefined ? unavailable : undefined}
            onClick={() => (wayOn === undefined ? whenReachable(() => void discard()) : void discard())}
          >
            {t('TestDiscardConfirm', { count })}
          </Button>
        ) : (
          <button type="button" className="button button-quiet" onClick={() => setAsking(true)}>
            {t('TestDiscard')}
          </button>
        )}
      </div>
    </div>
  )
}

/** Where they are, to answer them again. */
function RefusedQuestions({ sections, refused }: Pick<RefusedAnswersProps, 'sections' | 'refused'>) {
  const { t } = useTranslation('assessment')
  const ids = new Set(refused.map(({ questionId }) => questionId))
  return (
    <ul>
      {sections.flatMap((section, s) =>
        section.questions.map(
          ({ id, question }, q) => ids.has(id) && <li key={id}>{t('TestRefusedQuestion', { section: s + 1, number: q + 1, question })}</li>,
        ),
      )}
    </ul>
  )
}
