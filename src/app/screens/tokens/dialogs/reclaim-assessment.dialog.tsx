import { useState } from 'react'
import { isApiError } from '#app/api/api-error.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useSend } from '#app/api/use-send.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'
import { ConfirmDialog } from '#app/ui/feedback/confirm.dialog.tsx'
import { errorToast, toast } from '#app/ui/feedback/toast.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { mayBeDone, trackReply } from '#app/api/lost-replies.ts'
import { holderOf } from '#app/screens/tokens/token-holders.ts'
import type { HeldTokenProps } from './held-token-props.ts'
import { isSettled, refetchAssigned, tokenFailure, tokenTrouble, unsureOf } from '#app/screens/tokens/token-trouble.ts'

interface Props extends HeldTokenProps {
  /** whether its token makes up for one that was refunded, and so cannot be assigned again */
  isTokenOwed: boolean
}

/** Reclaims an assessment and its token; warns if the player has begun, even while the dialog is open. ASSIGN-18, ASSIGN-20 */
export function ReclaimAssessmentDialog({ row, assessment, isTokenOwed, onClose }: Props) {
  const { t } = useTranslation(['tokens', 'home'])
  const { send, isSending } = useSend(instancesForCoach.reclaim)
  const { unavailable, isAsking, whenReachable } = useOnlineOnly()
  const isGone = useIsGone()
  const [seenStatus, setSeenStatus] = useState(row.instanceStatus ?? undefined)
  const [hasJustBegun, setHasJustBegun] = useState(false)
  const { instanceId } = row
  const content = `${useReaderId()} reclaim ${instanceId}`
  const [isUnsure, setIsUnsure] = useState(mayBeDone(content))
  const [failure, setFailure] = useState<string>()
  const email = holderOf(row, assessment)

  async function reclaim(): Promise<void> {
    if (!instanceId) return errorToast('home:InstanceNotFound')
    const wasUnsure = mayBeDone(content)
    setIsUnsure(false)
    setFailure(undefined)
    try {
      await trackReply(content, () => send({ params: { instanceId }, query: { seenStatus } }))
      toast(t('Reclaimed'))
      onClose()
    } catch (error) {
      if (wasUnsure && isApiError(error) && error.code === 'ALREADY_RECLAIMED') {
        toast(t('Reclaimed'))
        refetchAssigned()
        return onClose()
      }
      if (isApiError(error) && error.code === 'PLAYER_HAS_BEGUN') {
        // the coach has gone back
        if (isGone.current) errorToast('tokens:ReclaimHasJustBegun')
        setSeenStatus('IN_PROGRESS')
        setHasJustBegun(true)
        return refetchAssigned()
      }
      const text = tokenTrouble(error, 'tokens:ReclaimFailed')
      errorToast(tokenFailure(error, 'tokens:ReclaimFailed'), text)
      setIsUnsure(mayBeDone(content))
      // the toast disappears, the dialog stays
      if (!isSettled(error)) return unsureOf(error) ? undefined : setFailure(text)
      refetchAssigned()
      onClose()
    }
  }

  return (
    <ConfirmDialog
      isOpen
      title={t('ReclaimTitle')}
      confirmLabel={t('ReclaimConfirm')}
      isDestructive
      isBusy={isSending || isAsking}
      unavailable={unavailable}
      onConfirm={() => whenReachable(() => void reclaim())}
      onClose={onClose}
    >
      <div className="stack token-dialog">
        {failure && <p className="notice notice-wait">{failure}</p>}
        {hasJustBegun && (
          <p ref={takeFocus} tabIndex={-1} role="alert" className="notice notice-wait">
            {t('ReclaimHasJustBegun')}
          </p>
        )}
        {isUnsure && (
          <p role="alert" className="notice notice-wait">
            {t('ReclaimUnsure')}
          </p>
        )}
        <p>{t(isTokenOwed ? 'ReclaimTextOwed' : 'ReclaimText', { email })}</p>
        {seenStatus === 'IN_PROGRESS' && <p>{t('ReclaimBegun', { email })}</p>}
      </div>
    </ConfirmDialog>
  )
}

/** A second Enter must not confirm what has only just been said. */
function takeFocus(said: HTMLElement | null): void {
  said?.focus()
}
