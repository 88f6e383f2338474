import { useState } from 'react'
import { messageFor } from '#app/api/message-for.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { loadLeftAccounts } from '#app/device/lazy.ts'
import { useUnsentOfOthers } from '#app/device/use-unsent-of-others.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useMissingAnswers } from '#app/session/use-left-accounts.ts'
import { ConfirmDialog } from '#app/ui/feedback/confirm.dialog.tsx'
import { Button } from '#app/ui/forms/button.tsx'

/** Other accounts' unsent data here, without a name, so that nobody takes it for their own or for sent. DEVICE-8 */
export function Others({ userId }: { userId: string | undefined }) {
  const { t } = useTranslation('device')
  const { isSendable, isRefused, isClosed } = useUnsentOfOthers(userId)
  const missing = useMissingAnswers()
  return (
    <>
      <div role="status">
        {(isSendable || isRefused) && <p>{t('OthersWait')}</p>}
        {isClosed && <p>{t('WaitsForClosed')}</p>}
        {missing > 0 && <p>{t('WaitsForMissing', { count: missing })}</p>}
      </div>
      <DiscardMissing count={missing} />
    </>
  )
}

/** Discards the data of accounts that the server does not have, after saying how much that is. */
function DiscardMissing({ count }: { count: number }) {
  const { t } = useTranslation('device')
  const { unavailable, isAsking, whenReachable } = useOnlineOnly()
  const [isOpen, setIsOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function discard(): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      const { discardMissing } = await loadLeftAccounts()
      if (!(await discardMissing())) setFailure(t('MissingIsBack'))
      setIsOpen(false)
    } catch (error) {
      console.warn('Nothing was discarded', error)
      setFailure(t('DiscardFailed', { reason: messageFor(error) }))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      {count > 0 && (
        <div>
          <Button variant="quiet" onClick={() => setIsOpen(true)}>
            {t('MissingDiscard')}
          </Button>
        </div>
      )}
      {failure !== undefined && !isOpen && <p role="alert">{failure}</p>}
      <ConfirmDialog
        isOpen={isOpen}
        title={t('MissingDiscardTitle')}
        confirmLabel={t('DiscardConfirm', { count })}
        isDestructive
        isBusy={isBusy || isAsking}
        unavailable={unavailable}
        onConfirm={() => whenReachable(() => void discard())}
        onClose={() => setIsOpen(false)}
      >
        <div className="stack">
          <p>{t('MissingDiscardText', { count })}</p>
          {failure !== undefined && <p role="alert">{failure}</p>}
        </div>
      </ConfirmDialog>
    </>
  )
}
