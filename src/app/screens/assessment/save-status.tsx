import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import type { StoredInstance } from '#app/offline/stored.ts'
import { sendingInstance } from '#app/offline/sync-events.ts'
import { formatTime } from '#app/i18n/figures.ts'
import { useOnDemand } from '#app/ui/on-demand.ts'
import { loadNotSent } from './on-demand.ts'
import { useAnswers } from './use-answers.ts'

interface SaveStatusProps {
  instance: StoredInstance
  answers: ScreenAnswers
}

/** Where the answers are, in the three words for success and the two for trouble (ruling 12). */
export function SaveStatus({ instance, answers }: SaveStatusProps) {
  const { t } = useTranslation('assessment')
  const { unsent, notSaved } = useAnswers(answers)
  const line = useSilence(answers)
  const sending = useSyncExternalStore(sendingInstance.subscribe, sendingInstance.get) === instance.instanceId

  const refused = useOnDemand(loadNotSent, instance.trouble !== null)

  if (notSaved) {
    return (
      // another element than the line below, which a tap silences
      <p key="trouble" className="save-status save-status-trouble" role="alert">
        {t('TestNotSavedOnDevice')}
      </p>
    )
  }
  if (instance.trouble && refused && refused !== 'lost') return <refused.NotSent instance={instance} unsent={unsent} />
  const words =
    unsent === 0
      ? instance.savedAt && t('TestSavedToAccount', { time: formatTime(instance.savedAt) })
      : sending
        ? t('TestSending')
        : t('TestSavedOnDevice', { count: unsent })
  return (
    <p ref={line} className={`save-status ${unsent > 0 ? 'save-status-wait' : ''}`}>
      {words}
    </p>
  )
}

/** From a tap until it is known where the answer is. An attribute, not React's: a tap is not painted later for it. */
function useSilence(answers: ScreenAnswers): RefObject<HTMLParagraphElement | null> {
  const line = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const show = () => line.current?.toggleAttribute('data-unsaid', !answers.isSaid())
    show()
    return answers.subscribeSaid(show)
  })
  return line
}
