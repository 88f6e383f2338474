import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import { discardUnsent } from '#app/offline/device-store.ts'
import type { StoredInstance } from '#app/offline/db.ts'
import { retry, sendingInstance } from '#app/offline/outbox.ts'
import { download, rescueFile } from '#app/offline/rescue-file.ts'
import { formatTime } from '#app/i18n/figures.ts'
import { troubleWords } from './trouble-words.ts'
import { useAnswers } from './use-answers.ts'

interface SaveStatusProps {
  instance: StoredInstance
  answers: ScreenAnswers
}

/** Where the answers are, in the three words for success and the two for trouble (ruling 12). */
export function SaveStatus({ instance, answers }: SaveStatusProps) {
  const { t } = useTranslation('assessment')
  const { unsent, writing, notSaved } = useAnswers(answers)
  const sending = useSyncExternalStore(sendingInstance.subscribe, sendingInstance.get) === instance.instanceId

  if (notSaved) {
    return (
      <p className="save-status save-status-trouble" role="alert">
        {t('TestNotSavedOnDevice')}
      </p>
    )
  }
  if (instance.trouble) return <NotSent instance={instance} answers={answers} />
  const words = writing
    ? ''
    : unsent === 0
      ? instance.savedAt && t('TestSavedToAccount', { time: formatTime(instance.savedAt) })
      : sending
        ? t('TestSending')
        : t('TestSavedOnDevice', { count: unsent })
  return <p className={`save-status ${unsent > 0 ? 'save-status-wait' : ''}`}>{words}</p>
}

/** A refusal parks the answers: visible, with its reason, to try again, keep as a file or discard. Ruling 13 */
function NotSent({ instance, answers }: SaveStatusProps) {
  const { t } = useTranslation(['assessment', 'errors'])
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="notice notice-wait" role="alert">
      <p>{t('TestNotSent', { reason: troubleWords(t, instance.trouble?.code) })}</p>
      <div className="row">
        <button type="button" className="button" onClick={() => void retry(instance)}>
          {t('TestTryAgain')}
        </button>
        <button type="button" className="button" onClick={() => void rescueFile(instance).then(download)}>
          {t('TestDownload')}
        </button>
        {isAsking ? (
          <button type="button" className="button button-danger" onClick={() => void discardUnsent(instance).then(() => answers.reload())}>
            {t('TestDiscardConfirm')}
          </button>
        ) : (
          <button type="button" className="button button-quiet" onClick={() => setAsking(true)}>
            {t('TestDiscard')}
          </button>
        )}
      </div>
    </div>
  )
}
