import { useRef, useState, type FormEvent } from 'react'
import { isApiError } from '#app/api/api-error.ts'
import { reachesServer } from '#app/api/network.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useSend } from '#app/api/use-send.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { TextButton } from '#app/ui/forms/text-button.tsx'
import { Dialog } from '#app/ui/feedback/dialog.tsx'
import { useSingleSubmit } from '#app/ui/forms/use-single-submit.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'
import { errorToast, toast } from '#app/ui/feedback/toast.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { cleanEmail, isEmail, normalEmail } from '#contract/rules/email.ts'
import { AddressField } from './address-field.tsx'
import { mayBeDone } from '#app/api/lost-replies.ts'
import { sendOnce } from '#app/screens/tokens/send-once.ts'
import { TokenDialogActions } from './token-dialog-actions.tsx'
import { holderOf } from '#app/screens/tokens/token-holders.ts'
import type { HeldTokenProps } from './held-token-props.ts'
import { isSettled, refetchAssigned, tokenFailure, tokenTrouble, unsureOf } from '#app/screens/tokens/token-trouble.ts'

interface Props extends HeldTokenProps {
  /** resends to the refused address; set when the dialog was opened by Resend */
  onSendAnyway: (() => void) | undefined
}

/** Corrects an invitation's address; the token stays the same. docs/decisions/0039 */
export function CorrectAddressDialog({ row, assessment, onSendAnyway, onClose }: Props) {
  const { t } = useTranslation(['tokens', 'home'])
  const userId = useReaderId()
  const { send } = useSend(instancesForCoach.correctAddress)
  const field = useRef<HTMLInputElement>(null)
  const isGone = useIsGone()
  /** from when the connection is checked: what was cancelled would be sent all the same */
  const { isUnderWay: isBusy, submit } = useSingleSubmit()
  const [email, setEmail] = useState(row.assignedTo ?? '')
  const [error, setError] = useState<string>()
  const { instanceId } = row

  function changeEmail(typed: string): void {
    setEmail(typed)
    setError(undefined)
  }

  function refuse(text: string): void {
    setError(text)
    field.current?.focus()
  }

  async function correct(playerEmail: string): Promise<void> {
    if (!instanceId) return errorToast('home:InstanceNotFound')
    const content = `${userId} correct ${instanceId} ${normalEmail(playerEmail)}`
    try {
      await sendOnce(content, (operationId) => send({ params: { instanceId }, body: { playerEmail, operationId } }))
      toast(t('Corrected', { email: playerEmail }))
      onClose()
    } catch (failure) {
      const code = isApiError(failure) ? failure.code : undefined
      const text = code === 'PLAYER_HAS_BEGUN' ? t('CorrectOpened') : tokenTrouble(failure, 'tokens:CorrectFailed')
      const unsure = unsureOf(failure) ?? (mayBeDone(content) ? 'AllocateUnsure' : undefined)
      // the coach has gone back
      if (isGone.current) return errorToast(tokenFailure(failure, 'tokens:CorrectFailed'), unsure ? `${text} ${t(unsure)}` : text)
      // it may have been corrected anyway; an error code means that the server replied, so its text is shown too
      if (unsure) return refuse(code === undefined ? t(unsure) : `${text} ${t(unsure)}`)
      // these refuse only the typed address: another may succeed
      if (!isSettled(failure) || code === 'ALREADY_ALLOCATED' || code === 'COACH_ALLOCATION_NOT_ALLOWED') return refuse(text)
      errorToast(code === 'PLAYER_HAS_BEGUN' ? 'tokens:CorrectOpened' : tokenFailure(failure, 'tokens:CorrectFailed'), text)
      refetchAssigned()
      onClose()
    }
  }

  async function check(event: FormEvent): Promise<void> {
    event.preventDefault()
    const cleaned = cleanEmail(email)
    if (!isEmail(cleaned)) return refuse(t('AssignEmailInvalid'))
    if (normalEmail(cleaned) === normalEmail(row.assignedTo ?? '')) return refuse(t('CorrectSame'))
    await submit(async () => {
      if (await reachesServer()) await correct(cleaned)
    })
  }

  return (
    <Dialog isOpen title={t('CorrectTitle')} isBusy={isBusy} onClose={onClose}>
      <form className="stack token-dialog" noValidate aria-busy={isBusy} onSubmit={(event) => void check(event)}>
        {onSendAnyway && <p className="notice notice-wait">{t('CorrectRefused')}</p>}
        <p>{t('CorrectText', { email: holderOf(row, assessment) })}</p>
        <AddressField ref={field} label={t('CorrectEmail')} error={error} email={email} onEmail={changeEmail} />
        {onSendAnyway && (
          <p>
            <TextButton isInert={isBusy} onClick={onSendAnyway}>
              {t('CorrectResendAnyway')}
            </TextButton>
          </p>
        )}
        <TokenDialogActions isSending={isBusy} submitLabel={t(isBusy ? 'Correcting' : 'CorrectSubmit')} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
