import { useState } from 'react'
import { messageFor } from '#app/api/message-for.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import type { Loss } from '#app/device/discard.ts'
import { loadDiscard } from '#app/device/lazy.ts'
import type { DeviceStatus } from '#app/device/status.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { QuestionNames } from '#app/parts/assessment/question-names.tsx'
import { isSubmitWaiting } from '#app/sync/sync.ts'
import { ConfirmDialog } from '#app/ui/feedback/confirm.dialog.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { isOpen } from '#contract/rules/statuses.ts'

interface DiscardProps {
  instanceKey: InstanceKey
  status: DeviceStatus
}

/** Discards what an instance has here and the account has not, after naming it. Of an open instance the account's answers replace unsent ones, so that needs a connection. DEVICE-1 */
export function Discard({ instanceKey, status }: DiscardProps) {
  const { t, i18n } = useTranslation('device')
  const [lost, setLost] = useState<Loss>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { unavailable, isAsking, whenReachable } = useOnlineOnly()
  const count = lost ? lost.unsent.length + lost.late.length : 0
  const isEnded = status.summary !== undefined && !isOpen(status.summary.status)
  const needsAccount = !isEnded && lost !== undefined && lost.unsent.length > 0

  async function ask(): Promise<void> {
    setFailure(undefined)
    try {
      const { lossOf } = await loadDiscard()
      setLost(await lossOf(instanceKey, i18n.language))
    } catch (error) {
      setFailure(messageFor(error))
    }
  }

  async function discard(loss: Loss): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      await (await loadDiscard()).discardAll(instanceKey, i18n.language, loss, isEnded)
      setLost(undefined)
    } catch (error) {
      console.warn('Nothing was discarded', error)
      setFailure(messageFor(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button variant="quiet" onClick={() => void ask()}>
        {t('Discard')}
      </Button>
      {failure && lost === undefined && <p role="alert">{failure}</p>}
      {lost && (
        <ConfirmDialog
          isOpen
          title={t('DiscardTitle')}
          confirmLabel={count > 0 ? t('DiscardConfirm', { count }) : t('DiscardSubmitConfirm')}
          isDestructive
          isBusy={isBusy || isAsking}
          unavailable={needsAccount ? unavailable : undefined}
          onConfirm={() => (needsAccount ? whenReachable(() => void discard(lost)) : void discard(lost))}
          onClose={() => setLost(undefined)}
        >
          <div className="stack">
            <Named text="DiscardText" rows={lost.unsent} sections={lost.sections} />
            <Named text="DiscardLate" rows={lost.late} sections={lost.sections} />
            {isSubmitWaiting(status.finish) && <p>{t('DiscardSubmit')}</p>}
            {lost.unsent.length > 0 && <p>{t(isEnded ? 'DiscardEnded' : 'DiscardOpen')}</p>}
            {failure && <p role="alert">{t('DiscardFailed', { reason: failure })}</p>}
          </div>
        </ConfirmDialog>
      )}
    </>
  )
}

interface NamedProps {
  text: 'DiscardText' | 'DiscardLate'
  rows: readonly { questionId: string }[]
  sections: Loss['sections']
}

function Named({ text, rows, sections }: NamedProps) {
  const { t } = useTranslation('device')
  if (rows.length === 0) return null
  return (
    <>
      <p>{t(text, { count: rows.length })}</p>
      {sections.length > 0 ? (
        <QuestionNames sections={sections} ids={rows.map(({ questionId }) => questionId)} />
      ) : (
        <p>{t('DiscardUnnamed')}</p>
      )}
    </>
  )
}
