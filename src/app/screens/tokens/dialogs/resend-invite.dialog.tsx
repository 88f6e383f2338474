import { useState } from 'react'
import { isApiError } from '#app/api/api-error.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useSend } from '#app/api/use-send.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { TextButton } from '#app/ui/forms/text-button.tsx'
import { ConfirmDialog } from '#app/ui/feedback/confirm.dialog.tsx'
import { errorToast, toast } from '#app/ui/feedback/toast.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { mayBeDone, trackReply } from '#app/api/lost-replies.ts'
import { holderOf } from '#app/screens/tokens/token-holders.ts'
import type { HeldTokenProps } from './held-token-props.ts'
import { isSettled, refetchAssigned, tokenFailure, tokenTrouble, unsureOf } from '#app/screens/tokens/token-trouble.ts'

interface Props extends HeldTokenProps {
  /** opens the correction of the address; undefined once somebody has opened the invitation */
  onCorrect: (() => void) | undefined
}

/** Resends the invitation of a pending row. ASSIGN-17 */
export function ResendInviteDialog({ row, assessment, onCorrect, onClose }: Props) {
  const { t } = useTranslation('tokens')
  const { send, isSending } = useSend(instancesForCoach.resend)
  const { unavailable, isAsking, whenReachable } = useOnlineOnly()
  const { assignedTo: playerEmail, assessmentId, dateSent } = row
  const content = `${useReaderId()} resend ${playerEmail} ${assessmentId} ${dateSent}`
  const [isUnsure, setIsUnsure] = useState(mayBeDone(content))
  const [failure, setFailure] = useState<string>()

  async function resend(): Promise<void> {
    if (!playerEmail || !assessmentId) return errorToast('tokens:ResendMissing')
    const wasUnsure = mayBeDone(content)
    setIsUnsure(false)
    setFailure(undefined)
    // a refused address may be refused again: the toast does not promise delivery
    const sent = t(row.invitation === 'refused' ? 'ResendTried' : 'Resent', { email: playerEmail })
    try {
      await trackReply(content, () => send({ body: { playerEmail, assessmentId, seenDateSent: dateSent ?? undefined } }))
      toast(sent)
      onClose()
    } catch (error) {
      if (wasUnsure && isApiError(error) && error.code === 'ALREADY_RESENT') {
        toast(sent)
        return onClose()
      }
      const text = tokenTrouble(error, 'tokens:ResendFailed')
      errorToast(tokenFailure(error, 'tokens:ResendFailed'), text)
      setIsUnsure(mayBeDone(content))
      // the toast disappears, the dialog stays
      if (!isSettled(error)) return unsureOf(error) ? undefined : setFailure(text)
      // reclaimed on another device or begun meanwhile: the team has changed too, not only the tokens
      refetchAssigned()
      onClose()
    }
  }

  return (
    <ConfirmDialog
      isOpen
      title={t('ResendTitle')}
      confirmLabel={t('TokenResend')}
      isBusy={isSending || isAsking}
      unavailable={unavailable}
      onConfirm={() => whenReachable(() => void resend())}
      onClose={onClose}
    >
      <div className="stack token-dialog">
        {failure && <p className="notice notice-wait">{failure}</p>}
        {isUnsure && (
          <p role="alert" className="notice notice-wait">
            {t('ResendUnsure')}
          </p>
        )}
        <p>{t('ResendText', { email: holderOf(row, assessment) })}</p>
        {onCorrect && (
          <p>
            <TextButton isInert={isSending || isAsking} onClick={onCorrect}>
              {t('CorrectInstead')}
            </TextButton>
          </p>
        )}
      </div>
    </ConfirmDialog>
  )
}
