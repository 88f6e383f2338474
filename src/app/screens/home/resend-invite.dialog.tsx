import { makeStale } from '#app/api/reads.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useSend } from '#app/api/use-send.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { ConfirmDialog } from '#app/ui/confirm.dialog.tsx'
import { errorToast, toast } from '#app/ui/toast.ts'
import { coach } from '#contract/coach.ts'
import { holderOf, type HeldTokenProps } from './token-rows.tsx'
import { isSettled, tokenTrouble } from './token-trouble.ts'

/** Sends the invitation of a pending row once more. §2 Confirm dialogs, §5 Resend */
export function ResendInviteDialog({ row, assessment, onClose }: HeldTokenProps) {
  const { t } = useTranslation('home')
  const { send, isSending } = useSend(coach.instances.resend)
  const { unavailable, whenReachable } = useOnlineOnly()
  const { assignedTo: playerEmail, assessmentId } = row

  async function resend(): Promise<void> {
    if (!playerEmail || !assessmentId) return errorToast(t('ResendMissing'))
    try {
      await send({ body: { playerEmail, assessmentId } })
      toast(t('Resent', { email: playerEmail }))
      onClose()
    } catch (error) {
      errorToast(tokenTrouble(error, 'home:ResendFailed'))
      if (!isSettled(error)) return
      // taken back on another device, or answered meanwhile: the squad shows it too
      makeStale(coach.instances.reclaim.changes)
      onClose()
    }
  }

  return (
    <ConfirmDialog
      isOpen
      title={t('ResendTitle')}
      confirmLabel={t('TokenResend')}
      isBusy={isSending}
      unavailable={unavailable}
      onConfirm={() => whenReachable(() => void resend())}
      onClose={onClose}
    >
      {t('ResendText', { email: holderOf(row, assessment) })}
    </ConfirmDialog>
  )
}
