import { useState } from 'react'
import { flushSync } from 'react-dom'
import { messageFor } from '#app/api/message-for.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { loadDiscard } from '#app/device/lazy.ts'
import type { DeviceStatus } from '#app/device/status.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { QuestionNames } from '#app/parts/assessment/question-names.tsx'
import type { AnswerRow } from '#app/sync/sync.ts'
import { ConfirmDialog } from '#app/ui/feedback/confirm.dialog.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { isOpen } from '#contract/rules/statuses.ts'
import type { Section } from '#contract/rules/questionnaire.ts'

interface Unsent {
  unsent: readonly AnswerRow[]
  sections: readonly Section[]
}

interface DiscardProps {
  instanceKey: InstanceKey
  status: DeviceStatus
  onDone: () => void
}

/** Discards an instance's unsent answers after naming them. Of an open instance the account's answers replace them, so that needs a connection. DEVICE-1 */
export function Discard({ instanceKey, status, onDone }: DiscardProps) {
  const { t, i18n } = useTranslation('device')
  const [lost, setLost] = useState<Unsent>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { unavailable, whenReachable } = useOnlineOnly()
  const isEnded = status.summary !== undefined && !isOpen(status.summary.status)

  async function ask(): Promise<void> {
    setFailure(undefined)
    try {
      const { unsentAnswersOf } = await loadDiscard()
      setLost(await unsentAnswersOf(instanceKey, i18n.language))
    } catch (error) {
      setFailure(messageFor(error))
    }
  }

  async function discard({ unsent }: Unsent): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      const edits = unsent.map(({ edit }) => edit)
      await (await loadDiscard()).discard(instanceKey, i18n.language, edits, isEnded)
      // the dialog gives the focus back to its button, which disappears
      flushSync(() => setLost(undefined))
      onDone()
    } catch (error) {
      console.warn('Nothing was discarded', error)
      setFailure(messageFor(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button look="quiet" onClick={() => void ask()}>
        {t('Discard')}
      </Button>
      {failure && lost === undefined && <p role="alert">{failure}</p>}
      {lost && (
        <ConfirmDialog
          isOpen
          title={t('DiscardTitle')}
          confirmLabel={t('DiscardConfirm', { count: lost.unsent.length })}
          isDestructive
          isBusy={isBusy}
          unavailable={isEnded ? undefined : unavailable}
          onConfirm={() => (isEnded ? void discard(lost) : whenReachable(() => void discard(lost)))}
          onClose={() => setLost(undefined)}
        >
          <div className="stack">
            <p>{t('DiscardText', { count: lost.unsent.length })}</p>
            <QuestionNames sections={lost.sections} ids={lost.unsent.map(({ questionId }) => questionId)} />
            {status.finish && <p>{t('DiscardSubmit')}</p>}
            <p>{t(isEnded ? 'DiscardEnded' : 'DiscardOpen')}</p>
            {failure && <p role="alert">{t('DiscardFailed', { reason: failure })}</p>}
          </div>
        </ConfirmDialog>
      )}
    </>
  )
}
