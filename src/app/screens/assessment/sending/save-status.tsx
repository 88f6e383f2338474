import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import { updateRequired } from '#app/api/update-required.ts'
import { useMoment } from '#app/i18n/use-moment.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import type { StoredInstance } from '#app/device/store/stored.ts'
import { sendTrouble } from '#app/device/sending/send-trouble.ts'
import { sendingInstance } from '#app/device/sending/sync-events.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { useOnDemand } from '#app/ui/browser/on-demand.ts'
import './sending.css'
import { loadCannotSend, loadRefusedAnswers } from './on-demand.ts'
import { saveText } from './save-text.ts'
import { useAnswers } from '#app/questionnaire/use-questionnaire.ts'

interface SaveStatusProps {
  instance: StoredInstance
  sections: readonly Section[]
  questionnaire: Questionnaire
}

/** Whether the answers are saved, and where: three states of success and two of trouble (ANSWERS-3). */
export function SaveStatus({ instance, sections, questionnaire }: SaveStatusProps) {
  const { answers } = questionnaire
  const { t } = useTranslation('assessment')
  const moment = useMoment()
  const { unsent, hasFailedWrites } = useAnswers(answers)
  const statusLine = useHideWhileStale(answers)
  const isSending = useSyncExternalStore(sendingInstance.subscribe, sendingInstance.get) === instance.instanceId

  // a refused answer that was changed since is sent again, so it no longer counts as refused
  const refused = instance.trouble ? answers.unsent(instance.trouble.edits) : []
  const isRefused = instance.trouble !== null && (instance.trouble.edits === undefined || refused.length > 0)
  const refusedModule = useOnDemand(loadRefusedAnswers, isRefused)

  const cannotSendSince = useSyncExternalStore(sendTrouble.subscribe, sendTrouble.since)
  const isTooOld = useSyncExternalStore(updateRequired.subscribe, updateRequired.get)
  const isStuck = isTooOld || cannotSendSince !== undefined
  const cannotSendModule = useOnDemand(loadCannotSend, hasFailedWrites || isStuck)

  if (hasFailedWrites) {
    return (
      // a key of its own, so that this is not the element below, which useHideWhileStale hides
      <div key="trouble" className="stack">
        <p className="save-status save-status-trouble" role="alert">
          {t('TestNotSavedOnDevice')}
        </p>
        {unsent > 0 && cannotSendModule && cannotSendModule !== 'lost' && (
          <cannotSendModule.CannotSend instance={instance} since={cannotSendSince} isOnPageOnly />
        )}
      </div>
    )
  }
  if (isRefused && refusedModule && refusedModule !== 'lost')
    return <refusedModule.RefusedAnswers instance={instance} sections={sections} questionnaire={questionnaire} refused={refused} />
  if (unsent > 0 && isStuck && cannotSendModule && cannotSendModule !== 'lost')
    return <cannotSendModule.CannotSend instance={instance} since={cannotSendSince} />
  return (
    <p ref={statusLine} className={`save-status ${unsent > 0 ? 'save-status-wait' : ''}`}>
      {saveText(t, moment, { unsent, savedAt: instance.savedAt, isSending })}
    </p>
  )
}

/** Hides the line after a tap until it is known where the answer is. Set on the element: a render would delay drawing the tap. */
function useHideWhileStale(answers: ScreenAnswers): RefObject<HTMLParagraphElement | null> {
  const line = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const show = () => line.current?.toggleAttribute('data-stale', !answers.listeners.isStatusCurrent())
    show()
    return answers.listeners.subscribeStatusCurrent(show)
  })
  return line
}
